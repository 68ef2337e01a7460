// The bench's worker process: the SDK as its users have it, with a handler that does nothing or sleeps, and notes when
// it began.

import { setTimeout as sleep } from 'node:timers/promises'
import { createWorker, defineExtension } from '@millrace/worker'
import { WaitNotes } from '../clock.ts'
import { serveParent, setupOfFork } from '../forked.ts'

export interface WorkerSetup {
  readonly url: string
  readonly token: string
  readonly slots: number
  /** Not given: the extension is global. */
  readonly room?: string
}

const { url, token, slots, room } = setupOfFork<WorkerSetup>()
const notes = new WaitNotes()

const noop = defineExtension({
  category: 'analysis',
  name: 'Noop',
  scope: room === undefined ? 'global' : 'room',
  schema: {
    type: 'object',
    properties: {
      n: { type: 'integer', minimum: 0 },
      sentAt: { type: 'number' },
      busyMs: { type: 'integer', minimum: 0, maximum: 60_000 },
    },
    required: ['n'],
    additionalProperties: false,
  },
  async run({ data, room: from }) {
    if (data.sentAt !== undefined) notes.began(from, data.sentAt)
    if (data.busyMs !== undefined) await sleep(data.busyMs)
    return null
  },
})

const worker = createWorker({
  url,
  token,
  slots,
  ...(room !== undefined && { room }),
  id: `bench-${process.pid}`,
  extensions: [noop],
  handleSignals: false,
  logger: false,
})
await worker.start()
serveParent(
  () => notes.take(),
  () => worker.stop(),
)
