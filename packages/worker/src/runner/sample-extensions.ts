// For tests: extensions with handlers of every temper.

import { spawn } from 'node:child_process'
import { defineExtension, type Extension } from '../extension/extension.ts'
import type { Job } from '../job/job.ts'
import { failed, rejected } from '../job/outcome.ts'

function sample(name: string, run: (job: Job<number>) => unknown): Extension<number> {
  return defineExtension<number>({ category: 'samples', name, room: 'lab', schema: { type: 'number' }, run })
}

/** Keeps a connection open to the given port for as long as it lives. */
const clinging = `require('node:net').connect(Number(process.argv[1])).on('error', () => process.exit())`

type SampleName =
  | 'square'
  | 'failing'
  | 'rejecting'
  | 'throwing'
  | 'unwritable'
  | 'exiting'
  | 'hungry'
  | 'obedient'
  | 'stubborn'

export const samples: Readonly<Record<SampleName, Extension<number>>> = {
  square: sample('Square', ({ data, progress, log }) => {
    log(`the square of ${data}`)
    progress(0.5, 'half')
    return { square: data * data, pid: process.pid }
  }),
  failing: sample('Failing', ({ data }) => failed(`${data} is too many`, { retryable: false })),
  rejecting: sample('Rejecting', () => rejected('not today')),
  throwing: sample('Throwing', () => {
    throw new RangeError('out of range')
  }),
  unwritable: sample('Unwritable', ({ data }) => BigInt(data)),
  exiting: sample('Exiting', ({ data }) => process.exit(data)),
  hungry: sample('Hungry', () => {
    const eaten: number[][] = []
    for (;;) eaten.push(Array.from({ length: 100_000 }, (_, n) => n))
  }),
  obedient: sample('Obedient', async ({ signal, log }) => {
    log('waiting')
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  }),
  /** Never lets the event loop turn, and leaves a child of its own behind. */
  stubborn: sample('Stubborn', ({ data }) => {
    spawn(process.execPath, ['-e', clinging, String(data)], { stdio: 'ignore' })
    const forever = new Int32Array(new SharedArrayBuffer(4))
    for (;;) Atomics.wait(forever, 0, 0, 1_000)
  }),
}
