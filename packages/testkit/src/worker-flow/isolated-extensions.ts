// Extensions for runners: one that obeys nobody, one that dies, and one that says where it runs.

import { defineExtension, type Extension } from '@millrace/worker'

function extension(name: string, run: Extension<unknown>['run']): Extension {
  return defineExtension<unknown>({
    category: 'isolated',
    name,
    room: 'lab',
    schema: { type: 'object' },
    policy: { job: { cancelGraceMs: 100, maxAttempts: 1 } },
    run,
  })
}

/** Blocks its process, so that no message reaches it any more. */
export const deaf: Extension = extension('Deaf', ({ log }) => {
  log('not listening')
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
})

export const dying: Extension = extension('Dying', () => process.exit(3))

export const where: Extension = extension('Where', () => process.pid)
