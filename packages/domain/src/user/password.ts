// What a password may be. Its strength is its length; nothing is demanded of its characters.

import { type Refusal, refuse } from '../refusal.ts'

const minLength = 8
// Longer ones only cost time: every sign-in hashes whatever it is given.
const maxLength = 1_024

export function passwordRefusal(password: string): Refusal | null {
  const { length } = password
  if (length >= minLength && length <= maxLength) return null
  return refuse(
    'password_invalid',
    `A password has ${minLength} to ${maxLength} characters, not ${length}.`,
    {
      min: minLength,
      max: maxLength,
    },
  )
}
