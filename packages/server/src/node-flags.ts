// How Node is to be started for a server; the command `millrace` says the same.
//
// - A job that is under way is a young object for longer than V8 reckons with: with 16 MB for those, most jobs of a busy server
//   were copied twice and then collected as old ones. Left alone, V8 lets the space grow further after a burst and keeps it: a
//   thousand workers that register would cost 100 kB each.
// - Left alone, that space begins with 1 MB and shrinks to it when there is little to do. It was often full in the middle of
//   single jobs, before there was enough in it to be collected at rest: every seventh of the slowest had met that.
// - After eight seconds of rest V8 collects, which is well, and gives back the space for young objects and the limit from
//   which old ones are collected, too: the next burst then took a third longer, most of it in collections. Node 22 does not
//   know the flag.
// - `gc` lets a thread that rests collect young objects, see store/collect-at-rest.ts.
// - Left alone, V8 collects old objects after every 9 MB of them, at 200 jobs a second every six seconds. For 65 ms it then
//   marks beside whoever is to be answered, and it throws away what was compiled of functions that are made anew for each
//   job; for seconds after it their jobs wait for the compiler. Grown to three times what is in use it is once a minute.
// - V8 starts four threads that compile and collect, however few processors there are: on two they kept whoever was to
//   answer from both, for up to a tick of the scheduler (4 ms).

import { availableParallelism } from 'node:os'

const atRest = Number(process.versions.node.split('.')[0]) >= 24 ? ['--no-memory-reducer-favors-memory'] : []
const forFewProcessors = ['--v8-pool-size=1', '--no-parallel-scavenge']

export const nodeFlags: readonly string[] = [
  '--max-semi-space-size=32',
  '--min-semi-space-size=2',
  '--expose-gc',
  '--heap-growing-percent=200',
  ...atRest,
  ...(availableParallelism() <= 2 ? forFewProcessors : []),
]
