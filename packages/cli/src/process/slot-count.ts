// How many jobs at the same time, as a word of the command line.

import { InvalidArgumentError } from 'commander'

/** For the eye. */
export function atTheSameTime(count: number): string {
  return `${count} ${count === 1 ? 'job' : 'jobs'} at the same time`
}

const most = 1_000

export function slotCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= most) return count
  throw new InvalidArgumentError(`It has to be a whole number from 1 to ${most}.`)
}
