// The port to the signature of tokens. It says that a token is ours and what stands in it; whether it still holds is
// decided elsewhere.

import type { TokenClaims } from '@millrace/domain'

export interface TokenSigner {
  sign(claims: TokenClaims): Promise<string>
  /** Null: not signed with our secret and our algorithm, or not a token of ours. */
  open(token: string): Promise<TokenClaims | null>
}
