// What `npm run chaos` can be told.

import { parseArgs } from 'node:util'

export interface ChaosArguments {
  readonly seed: number
  /** Faults come for at least so long; null: until every kind had its turns. */
  readonly minutes: number | null
  /** Of each kind, at least. */
  readonly rounds: number
  readonly stores: readonly ('redis' | 'sqlite')[]
  readonly json: boolean
}

export const chaosHelp = `npm run chaos -- [options]
  --short         two faults of each kind instead of five; the tests run one
  --minutes N     faults for at least N minutes on each store
  --seed S        the seed of an earlier run: the same faults in the same order
  --store NAME    redis or sqlite; both unless said
  --json          one line of JSON instead of a table`

const [roundsOfShort, roundsOfLong] = [2, 5]
const maxSeed = 2 ** 32 - 1

/** A sentence about what is wrong, or what was asked for. */
export function readChaosArguments(args: readonly string[], freshSeed: number): ChaosArguments | string {
  const read = parse(args)
  if (typeof read === 'string') return read
  const { short = false, minutes, seed, store, json = false } = read
  if (minutes !== undefined && !(Number(minutes) > 0)) return '--minutes has to be a number above 0'
  const given = seed === undefined ? freshSeed : Number(seed)
  if (!Number.isInteger(given) || given < 0 || given > maxSeed)
    return `--seed has to be a whole number from 0 to ${maxSeed}`
  if (store !== undefined && store !== 'redis' && store !== 'sqlite')
    return '--store has to be redis or sqlite'
  return {
    seed: given,
    minutes: minutes === undefined ? null : Number(minutes),
    rounds: short ? roundsOfShort : roundsOfLong,
    stores: store === undefined ? ['redis', 'sqlite'] : [store],
    json,
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        short: { type: 'boolean' },
        minutes: { type: 'string' },
        seed: { type: 'string' },
        store: { type: 'string' },
        json: { type: 'boolean' },
      },
    }).values
  } catch (fault) {
    return (fault as Error).message
  }
}
