// How Node is to be started for a server; the command `millrace` says the same.
//
// Left alone, V8 lets the space for young objects grow to several times this after a burst. Smaller, it collects more often
// than jobs are done: thousands are under way at a time, and every collection copies them. What a burst took is given back
// at rest (memory-rest.ts). And V8 starts four threads that compile and collect, however few processors there are: on two
// they kept whoever was to answer from both, for up to a tick of the scheduler (4 ms).

import { availableParallelism } from 'node:os'

const forFewProcessors = ['--v8-pool-size=1', '--no-parallel-scavenge']

export const nodeFlags: readonly string[] = [
  '--max-semi-space-size=32',
  ...(availableParallelism() <= 2 ? forFewProcessors : []),
]
