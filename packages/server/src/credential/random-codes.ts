// Codes from the operating system's dice.

import { createHash, randomBytes } from 'node:crypto'
import type { RandomCodes } from '../ports/random-codes.ts'

// 32 of them, so that five bits of a byte choose one and none is likelier than another.
const letters = 'abcdefghijkmnpqrstuvwxyz23456789'

export const randomCodes: RandomCodes = {
  code: () => randomBytes(32).toString('base64url'),
  letters: (count) => [...randomBytes(count)].map((byte) => letters[byte & 31]).join(''),
  digest: (code) => createHash('sha256').update(code).digest('hex'),
}
