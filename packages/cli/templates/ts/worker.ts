// A worker: it exports extensions, and everybody in the room can run them.
//
//   npx millrace worker worker.ts --watch        (from this folder; runs anew whenever you save)
//   npx millrace submit Pi --set darts=3000000 --follow

import { defineExtension } from '@millrace/worker'

export const pi = defineExtension({
  category: 'analysis',
  name: 'Pi',

  // The form that people fill in is made from this JSON Schema. The server checks every job against it and fills in
  // the defaults, so `data` below is what it says here, for the compiler too.
  schema: {
    type: 'object',
    properties: {
      darts: {
        type: 'integer',
        minimum: 1,
        maximum: 100_000_000,
        default: 1_000_000,
        description: 'darts to throw',
      },
    },
    additionalProperties: false,
  },

  // What it returns is the job's result. What it throws is a failure, and the job is tried again.
  async run({ data, progress, log, signal }) {
    const batch = 100_000
    let inside = 0
    for (let thrown = 0; thrown < data.darts; thrown += batch) {
      const now = Math.min(batch, data.darts - thrown)
      for (let dart = 0; dart < now; dart += 1) if (Math.hypot(Math.random(), Math.random()) < 1) inside += 1
      progress((thrown + now) / data.darts, `${thrown + now} darts`)
      // Work that never waits keeps the worker from hearing anything: a breath now and then, and a look at the signal.
      await new Promise(setImmediate)
      signal.throwIfAborted()
    }
    log(`${inside} of ${data.darts} darts hit`)
    return { pi: (4 * inside) / data.darts }
  },
})
