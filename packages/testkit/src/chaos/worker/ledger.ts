// The ledger outside of the system: what handlers really did, one line each, on the disk before they go on. Processes
// that are killed in the middle of a line leave half of one, which counts as not written.

import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'

/** In the folder of the run, which is where its workers have their temporary files. */
export const ledgerName = 'executions.jsonl'

export type LedgerLine =
  | {
      readonly step: 'begin'
      readonly at: number
      readonly job: string
      /** Of this one execution. */
      readonly run: string
      readonly worker: string
      /** Of the process the handler runs in. */
      readonly pid: number
      /** Only where the worker is told it. */
      readonly token?: string
    }
  | { readonly step: 'end'; readonly at: number; readonly job: string; readonly run: string }
  /** What the server said to a completion: its status, or the code of its refusal. */
  | { readonly step: 'answer'; readonly at: number; readonly run: string; readonly answer: string }
  /** Before a lock is asked for, and each time that it is asked for again. */
  | ({ readonly step: 'ask' } & LockStep)
  | ({ readonly step: 'held'; readonly fence: number } & LockStep)
  /** Before something is written under the number of the lock, and after the server said yes to it. */
  | ({ readonly step: 'write'; readonly fence: number } & LockStep)
  | ({ readonly step: 'written'; readonly fence: number } & LockStep)

/** Steps of different processes stand in the order in which they were taken: all append to one file. */
interface LockStep {
  readonly at: number
  readonly run: string
  readonly room: string
  readonly target: string
}

export class Ledger<Line> {
  readonly #descriptor: number

  constructor(file: string) {
    this.#descriptor = openSync(file, 'a')
  }

  write(line: Line): void {
    writeSync(this.#descriptor, `${JSON.stringify(line)}\n`)
    fsyncSync(this.#descriptor)
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}

export function readLedger<Line>(file: string): readonly Line[] {
  if (!existsSync(file)) return []
  const texts = readFileSync(file, 'utf8').split('\n')
  return texts.flatMap((text): Line[] => {
    try {
      return [JSON.parse(text) as Line]
    } catch {
      return []
    }
  })
}
