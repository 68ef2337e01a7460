// What a user submitted to an extension lately, for the form to offer again: read off their jobs, which are kept anyway.

import type { ExtensionId, JobStatus } from '@millrace/domain'
import { userList } from '../job/job-places.ts'
import { jobOfRecord } from '../job/job-record.ts'
import type { RecordKey, Store } from '../ports/store.ts'

export interface RecentInput {
  readonly data: unknown
  readonly at: number
  readonly job: string
  readonly status: JobStatus
}

const inputsAtMost = 10
const recordsAtOnce = 100
/** Whoever has submitted a thousand jobs since is not helped by what came before. */
const lookAtMost = 1_000
/** Of all of them together: large data is not typed into a form. */
const lettersAtMost = 200_000

/** The latest first; the same data is offered once. */
export async function recentInputs(
  store: Store,
  room: string,
  user: string,
  { scope, category, name }: ExtensionId,
): Promise<readonly RecentInput[]> {
  const inputs = new Map<string, RecentInput>()
  let letters = 0
  for (let [before, looked]: [RecordKey | undefined, number] = [undefined, 0]; looked < lookAtMost; ) {
    const records = await store.list({
      partition: room,
      lists: [userList(user)],
      order: 'newest',
      limit: recordsAtOnce,
      ...(before !== undefined && { before }),
    })
    for (const record of records) {
      const { submission, status } = jobOfRecord(record)
      const { id: job, data, createdAt: at } = submission
      if (submission.scope !== scope || submission.category !== category || submission.extension !== name)
        continue
      const text = JSON.stringify(data) ?? ''
      if (inputs.has(text) || letters + text.length > lettersAtMost) continue
      letters += text.length
      inputs.set(text, { data, at, job, status })
      if (inputs.size === inputsAtMost) return [...inputs.values()]
    }
    if (records.length < recordsAtOnce) break
    before = records.at(-1)?.key
    looked += records.length
  }
  return [...inputs.values()]
}
