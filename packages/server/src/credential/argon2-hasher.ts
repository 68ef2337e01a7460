// Password hashes by Argon2id, in threads of their own.

import { randomBytes } from 'node:crypto'
import { hash, type Options, verify } from '@node-rs/argon2'
import type { PasswordHasher } from '../ports/password-hasher.ts'

// OWASP's first choice for Argon2id: 19 MiB, two passes, one lane. More of either slows down whoever guesses and whoever
// signs in alike. The algorithm is the library's default, and every hash says its own.
const settings: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export async function createArgon2Hasher(): Promise<PasswordHasher> {
  const nobodys = await hash(randomBytes(32), settings)
  return {
    hash: (password) => hash(password, settings),
    matches: async (known, password) => {
      const fits = await verify(known ?? nobodys, password)
      return fits && known !== null
    },
  }
}
