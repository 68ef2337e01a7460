// BullMQ's worker process: a handler that does nothing, as many at once as it has slots.

import { Worker } from 'bullmq'
import { WaitNotes } from '../clock.ts'
import { serveParent, setupOfFork } from '../forked.ts'

interface Setup {
  readonly name: string
  readonly host: string
  readonly port: number
  readonly slots: number
}

const { name, host, port, slots } = setupOfFork<Setup>()
const notes = new WaitNotes()
let completed = 0
let expected = Number.POSITIVE_INFINITY

const worker = new Worker<{ sentAt?: number }>(
  name,
  async ({ data }) => {
    if (data.sentAt !== undefined) notes.began(name, data.sentAt)
    return null
  },
  { connection: { host, port, maxRetriesPerRequest: null }, concurrency: slots },
)
worker.on('completed', () => {
  completed += 1
  if (completed < expected) return
  expected = Number.POSITIVE_INFINITY
  process.send?.({ completed })
})
await worker.waitUntilReady()

serveParent(
  (question) => {
    if (!('expect' in question)) return notes.take()
    completed = 0
    expected = Number(question.expect)
    return null
  },
  () => worker.close(),
)
