// One job's life on the embedded store, without a server: submit, claim, complete, and everything the room hears of it.
// Run it with `npm exec -- node examples/one-job.ts`.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  defaultPolicy,
  isRefusal,
  type JobId,
  queueOf,
  type RoomName,
  type SchemaHash,
  type Submission,
  type UserName,
  type WorkerId,
} from '@millrace/domain'
import {
  ActiveJobs,
  claimJobs,
  listJobs,
  newId,
  openSqliteStore,
  readJob,
  reportJobs,
  submitJobs,
} from '@millrace/server'

const directory = mkdtempSync(join(tmpdir(), 'millrace-example-'))
const store = await openSqliteStore({ file: join(directory, 'store.sqlite') })
const feed = store.feed('now')
await feed.ready

// What the server will do for its users: resolve the extension, validate the data, apply the policy.
const room = 'lab'
const submission: Submission = {
  id: newId(store.now()) as JobId,
  room: room as RoomName,
  scope: 'room',
  category: 'modifiers',
  extension: 'Relax',
  schemaHash: 'the hash of the schema its data was validated against' as SchemaHash,
  data: { steps: 100 },
  submitter: 'alice' as UserName,
  priority: 5,
  createdAt: store.now(),
  policy: defaultPolicy,
}
const submitted = await submitJobs(store, room, [submission])
if (isRefusal(submitted)) throw new Error(submitted.message)

// What placement will do: claim as many jobs of a queue as there are free slots, one worker name for each.
const active = new ActiveJobs()
const [job] = await claimJobs(store, active, {
  room,
  queue: queueOf(submission),
  workers: ['laptop' as WorkerId],
  acceptMs: submission.policy.acceptMs,
  roomLimit: null,
  queueLimit: null,
})
const token = job?.attempt?.token
if (!token) throw new Error('nothing was claimed')

// What a worker will say. Every word carries the attempt's token; with another one it is refused.
const events = [
  { type: 'start', token } as const,
  { type: 'complete', token, result: '{"energy":-1}' } as const,
]
const [reported] = await reportJobs(store, active, room, [{ job: submission.id, events }], Math.random)
if (!reported || isRefusal(reported)) throw new Error('the report was refused')

const { jobs } = await listJobs(store, {
  room,
  filter: { statuses: ['completed'] },
  order: 'newest',
  limit: 10,
})
console.log(`completed in ${room}: ${jobs.map((one) => one.submission.extension).join(', ')}`)
const ended = await readJob(store, room, submission.id)
console.log(`result: ${isRefusal(ended) ? 'none' : ended.result}`)

let heard = 0
for await (const item of feed) {
  if (item.kind !== 'events') continue
  for (const { sequence, event } of item.events) {
    console.log(`event ${sequence}: ${(JSON.parse(event) as { status: string }).status}`)
    heard += 1
  }
  if (heard === 3) break
}

await store.close()
rmSync(directory, { recursive: true })
