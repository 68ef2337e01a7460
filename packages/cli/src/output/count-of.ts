// How many of something a person wants, as an option says it.

import { InvalidArgumentError } from 'commander'

export function countOf(text: string, most: number): number {
  const number = Number(text)
  if (Number.isInteger(number) && number > 0 && number <= most) return number
  throw new InvalidArgumentError(`It has to be a whole number from 1 to ${most}.`)
}
