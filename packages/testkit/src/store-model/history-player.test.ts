// The comparison must see something: each store here is the model with one fault, and each fault must be found.

import type { Change, Claim, DueRecord, ListQuery, Put, Store } from '@millrace/server'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changeId } from '../store-contract/change-id.ts'
import { collectFeed } from './feed-collector.ts'
import { HistoryPlayer } from './history-player.ts'
import { historyArbitrary } from './history-step.ts'
import { StoreModel } from './store-model.ts'

const withPuts = (change: Change, alter: (put: Put) => Put): Change => ({
  ...change,
  put: (change.put ?? []).map(alter),
})

const faults: Record<string, () => Store> = {
  'forgets which changes it has applied': () =>
    new (class extends StoreModel {
      override commit = (change: Change) => super.commit({ ...change, id: changeId() })
    })(),
  'forgets which claims it has answered': () =>
    new (class extends StoreModel {
      override claim = (claim: Claim) => super.claim({ ...claim, id: changeId() })
    })(),
  'ignores expectations': () =>
    new (class extends StoreModel {
      override commit = (change: Change) =>
        super.commit({ ...change, expect: {}, put: (change.put ?? []).map(({ expect: _, ...put }) => put) })
    })(),
  'ignores limits': () =>
    new (class extends StoreModel {
      override claim = (claim: Claim) => super.claim({ ...claim, limits: [] })
    })(),
  'loses the body that a put does not repeat': () =>
    new (class extends StoreModel {
      override commit = (change: Change) => super.commit(withPuts(change, (put) => ({ body: '', ...put })))
    })(),
  'takes the newest of equal scores first': () =>
    new (class extends StoreModel {
      override claim = async (claim: Claim) => {
        const { records } = await super.claim(claim)
        return { records: records.toReversed() }
      }
    })(),
  'loses the last event of a change': () =>
    new (class extends StoreModel {
      override commit = (change: Change) =>
        super.commit({
          ...change,
          announce: (change.announce ?? []).slice(0, Math.max(1, (change.announce ?? []).length - 1)),
        })
    })(),
  'lets a bound into the page': () =>
    new (class extends StoreModel {
      override list = ({ after, ...query }: ListQuery) =>
        super.list(after === undefined ? query : { ...query, after: after.slice(0, -1) })
    })(),
  'is late by a millisecond': () =>
    new (class extends StoreModel {
      override due = (now: number, limit: number): Promise<DueRecord[]> => super.due(now - 1, limit)
    })(),
  'does not move wide lists': () =>
    new (class extends StoreModel {
      override claim = (claim: Claim) =>
        super.claim({ ...claim, move: { from: claim.move.to, to: claim.move.to } })
    })(),
}

async function play(store: Store, histories: number): Promise<void> {
  const collector = collectFeed(store)
  const subjects = [{ name: 'the subject', store, collector }]
  const plays = fc.asyncProperty(historyArbitrary, (steps) =>
    new HistoryPlayer(subjects, collectFeed).play(steps),
  )
  await fc.assert(plays, { seed: 1, numRuns: histories, endOnFailure: true })
}

describe('the comparison of histories', () => {
  it('[S37] a subject without fault passes', async () => {
    await expect(play(new StoreModel(), 20)).resolves.toBeUndefined()
  })

  it.each(Object.keys(faults))('[S37] a store that %s is found out', async (name) => {
    const faulty = faults[name]?.() ?? new StoreModel()
    await expect(play(faulty, 50)).rejects.toMatchObject({
      cause: { message: expect.stringContaining('differ') },
    })
  })
})
