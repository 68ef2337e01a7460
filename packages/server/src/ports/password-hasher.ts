// The port to a password hash that is slow on purpose.

export interface PasswordHasher {
  /** A text that says how it was made, so that later settings leave earlier hashes usable. */
  hash(password: string): Promise<string>
  /** Null does the same work and answers false: how long it takes must not tell whether an account exists. */
  matches(hash: string | null, password: string): Promise<boolean>
}
