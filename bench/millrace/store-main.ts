// One store in a process of its own, as a server has it: whole lives of jobs through the server's use-cases, and claims
// from a long queue beside claims from a short one. Batches of 100 throughout.

import { openRedisStore, openSqliteStore, type Store } from '@millrace/server'
import { median, perSecond } from '../figures.ts'
import { serveParent, setupOfFork } from '../forked.ts'
import { claimBatch, completeBatch, submitBatch } from '../lifecycle.ts'
import type { RedisAddress } from '../peers/bullmq.ts'

export interface StoreSetup {
  /** The embedded store's file, or the Redis. */
  readonly file?: string
  readonly redis?: RedisAddress
}

export type StoreQuestion =
  | { readonly op: 'lifecycles'; readonly name: string; readonly count: number }
  | { readonly op: 'fill'; readonly count: number }
  | { readonly op: 'claims'; readonly rounds: number }

export interface ClaimRates {
  readonly many: number
  readonly few: number
}

const batch = 100
const loops = 16
const fewPending = 1_000
/** Of jobs that are submitted to wait. */
const bulk = 1_000

const { file, redis } = setupOfFork<StoreSetup>()
const store: Store = redis
  ? await openRedisStore({ nodes: [redis] })
  : await openSqliteStore({ file: file ?? '' })

async function answer(question: StoreQuestion): Promise<number | ClaimRates> {
  switch (question.op) {
    case 'lifecycles':
      return await runLifecycles(question.name, question.count)
    case 'fill':
      return await perSecond(question.count, () => submitMany('many', question.count))
    case 'claims':
      return await claimRates(question.rounds)
  }
}

async function runLifecycles(name: string, count: number): Promise<number> {
  const loop = async (room: string): Promise<void> => {
    for (let done = 0; done < count / loops; done += batch) {
      await submitBatch(store, room, batch)
      const jobs = await claimBatch(store, room, batch)
      if (jobs.length !== batch) throw new Error(`claimed ${jobs.length} of ${batch}`)
      await completeBatch(store, room, jobs)
    }
  }
  return await perSecond(count, async () => {
    await Promise.all(Array.from({ length: loops }, (_, index) => loop(`${name}-${index}`)))
  })
}

/** In turns, so that a slow spell of the machine meets both alike. */
async function claimRates(rounds: number): Promise<ClaimRates> {
  const many: number[] = []
  const few: number[] = []
  for (let round = 0; round < rounds; round++) {
    many.push(await claimRate('many'))
    await submitMany('few', fewPending)
    few.push(await claimRate('few'))
  }
  return { many: median(many), few: median(few) }
}

function claimRate(room: string): Promise<number> {
  return perSecond(fewPending, async () => {
    for (let claimed = 0; claimed < fewPending; claimed += batch) await claimBatch(store, room, batch)
  })
}

async function submitMany(room: string, count: number): Promise<void> {
  for (let done = 0; done < count; done += bulk) await submitBatch(store, room, Math.min(bulk, count - done))
}

serveParent(
  (question) => {
    void answer(question as StoreQuestion).then((answered) => process.send?.({ answered }))
    return null
  },
  () => store.close(),
)
