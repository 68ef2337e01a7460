// The contract under concurrency: changes that compete, claims that compete, limits that several callers press against.

import { expect } from 'vitest'
import { type ContractCase, change, claim, commitAll, jobKey, keysOf, put, queued } from './contract-scene.ts'
import { drain, eventsOf } from './feed-reader.ts'

const many = (count: number) => Array.from({ length: count }, (_, n) => queued(jobKey(n), n % 7))

export const concurrencyCases: readonly ContractCase[] = [
  {
    title: '[S29] of 50 concurrent changes that expect the same version exactly one is applied',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, { key: jobKey(1), head: 'h' })
      const compete = (n: number) =>
        store.commit(
          change(here, {
            expect: { [jobKey(1)]: 1 },
            put: [{ key: jobKey(1), head: `${n}` }],
            add: { won: 1 },
          }),
        )
      const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => compete(n)))
      const winner = answers.findIndex(({ outcome }) => outcome === 'committed')
      const losers = answers.filter(({ outcome }) => outcome === 'stale')
      expect(losers).toEqual(Array(49).fill({ outcome: 'stale', key: jobKey(1), version: 2 }))
      expect(await store.read(here, [jobKey(1)])).toMatchObject([{ head: `${winner}`, version: 2 }])
      expect(await store.counters(here)).toEqual({ won: 1 })
    },
  },
  {
    title: '[S29] of 50 concurrent changes that make the same record exactly one does',
    run: async ({ store, room }) => {
      const here = room()
      const make = (n: number) =>
        change(here, { expect: { [jobKey(1)]: 0 }, put: [{ key: jobKey(1), head: `${n}` }] })
      const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => store.commit(make(n))))
      expect(answers.filter(({ outcome }) => outcome === 'committed')).toHaveLength(1)
    },
  },
  {
    title: '[S9] 200 concurrent additions to one counter all count',
    run: async ({ store, room }) => {
      const here = room()
      const add = (n: number) => store.commit(change(here, { add: { total: n } }))
      await Promise.all(Array.from({ length: 200 }, (_, n) => add(n)))
      expect(await store.counters(here)).toEqual({ total: 19_900 })
    },
  },
  {
    title: '[S24] concurrent changes receive revisions and sequence numbers without gap or repetition',
    run: async ({ store, room }) => {
      const here = room()
      const feed = store.feed('now')
      await feed.ready
      const tell = (n: number) =>
        commitAll(store, change(here, { announce: [{ subject: jobKey(n), event: `${n}` }] }))
      const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => tell(n)))
      const upTo100 = Array.from({ length: 100 }, (_, n) => n + 1)
      expect(answers.map(({ revision }) => revision).sort((a, b) => a - b)).toEqual(upTo100)
      const events = eventsOf(await drain(store, feed, [here]))
      expect(events.map(({ sequence }) => sequence)).toEqual(upTo100)
      for (const [n, { sequence }] of answers.entries()) expect(events[sequence - 1]?.event).toBe(`${n}`)
    },
  },
  {
    title: '[S21] 20 concurrent claimers take each of 200 jobs once',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, ...many(200))
      const takeAll = async (): Promise<string[]> => {
        const taken: string[] = []
        for (;;) {
          const { records } = await store.claim(claim(here, 'queue', 3, { add: { running: 1 } }))
          if (records.length === 0) return taken
          taken.push(...keysOf(records))
        }
      }
      const taken = (await Promise.all(Array.from({ length: 20 }, takeAll))).flat()
      expect(taken.toSorted()).toEqual(many(200).map(({ key }) => key))
      expect(await store.counters(here)).toEqual({ running: 200 })
    },
  },
  {
    title: '[S21] a claim and a removal that compete for one record do not both have it',
    run: async ({ store, room }) => {
      for (let n = 0; n < 20; n++) {
        const here = room()
        await put(store, here, queued(jobKey(1), 1))
        const [removal, claimed] = await Promise.all([
          store.commit(change(here, { expect: { [jobKey(1)]: 1 }, remove: [jobKey(1)] })),
          store.claim(claim(here, 'queue', 1)),
        ])
        expect(claimed.records.length).toBe(removal.outcome === 'committed' ? 0 : 1)
      }
    },
  },
  {
    title: '[S17] a limit is not overshot by 20 concurrent claimers from several queues',
    run: async ({ store, room }) => {
      const here = room()
      const inQueue = (name: string) =>
        many(50).map((each) => ({ ...each, key: `${each.key}-${name}`, queue: { name, score: 1 } }))
      await put(store, here, ...inQueue('a'), ...inQueue('b'))
      const limited = (n: number) =>
        claim(here, n % 2 ? 'a' : 'b', 4, { limits: [{ counter: 'running', max: 37 }], add: { running: 1 } })
      const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => store.claim(limited(n))))
      expect(answers.flatMap(({ records }) => records)).toHaveLength(37)
      expect(await store.counters(here)).toEqual({ running: 37 })
    },
  },
]
