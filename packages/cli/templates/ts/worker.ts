// A worker: it exports extensions, and everybody in the room can run them.
//
//   npx millrace worker worker.ts --watch        (from this folder; runs anew whenever you save)
//   npx millrace submit RandomWalk --set steps=500 --follow

import { defineExtension } from '@millrace/worker'

export const randomWalk = defineExtension({
  category: 'analysis',
  name: 'RandomWalk',

  // The form that people fill in is made from this JSON Schema. The server checks every job against it and fills in
  // the defaults, so `data` below is what it says here, for the compiler too.
  schema: {
    type: 'object',
    description: 'How far random walkers get: the mean of their squared distances.',
    properties: {
      steps: { type: 'integer', minimum: 1, maximum: 100_000, default: 100, description: 'of each walker' },
      walkers: { type: 'integer', minimum: 1, maximum: 100_000, default: 1_000 },
    },
    additionalProperties: false,
  },

  // What it returns is the job's result. What it throws is a failure, and the job is tried again.
  async run({ data, progress, log, signal }) {
    const { steps, walkers } = data
    let sumOfSquares = 0
    for (let walker = 1; walker <= walkers; walker += 1) {
      sumOfSquares += walk(steps) ** 2
      if (walker % 100 !== 0) continue
      progress(walker / walkers, `${walker} walkers are home`)
      // Work that never waits keeps the worker from hearing anything: a breath now and then, and a look at the signal.
      await new Promise(setImmediate)
      signal.throwIfAborted()
    }
    log(`${walkers} walkers took ${steps} steps each`)
    return { meanSquaredDistance: sumOfSquares / walkers, expected: steps }
  },
})

function walk(steps: number): number {
  let position = 0
  for (let step = 0; step < steps; step += 1) position += Math.random() < 0.5 ? -1 : 1
  return position
}
