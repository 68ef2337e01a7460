// What `npm run soak` can be told.

import { parseArgs } from 'node:util'

export type SoakStore = 'redis' | 'sqlite'

export interface SoakArguments {
  readonly minutes: number
  readonly stores: readonly SoakStore[]
  readonly json: boolean
  /** A worker that keeps every job it ever had, to see that it is found. */
  readonly planted: boolean
}

export const soakHelp = `npm run soak -- [options]
  --minutes N     how long half of the measured throughput runs on each store; 30 unless said
  --store NAME    redis or sqlite; both unless said, one after the other
  --json          one line of JSON instead of a table
  --plant-leak    a worker that forgets nothing: the run has to fail`

const usualMinutes = 30

/** A sentence about what is wrong, or what was asked for. */
export function readSoakArguments(args: readonly string[]): SoakArguments | string {
  const read = parse(args)
  if (typeof read === 'string') return read
  const { minutes = String(usualMinutes), store, json = false, 'plant-leak': planted = false } = read
  if (!(Number(minutes) > 0)) return '--minutes has to be a number above 0'
  if (store !== undefined && store !== 'redis' && store !== 'sqlite')
    return '--store has to be redis or sqlite'
  return {
    minutes: Number(minutes),
    stores: store === undefined ? ['sqlite', 'redis'] : [store],
    json,
    planted,
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        minutes: { type: 'string' },
        store: { type: 'string' },
        json: { type: 'boolean' },
        'plant-leak': { type: 'boolean' },
      },
    }).values
  } catch (fault) {
    return (fault as Error).message
  }
}
