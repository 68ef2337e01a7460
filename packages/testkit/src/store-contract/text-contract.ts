// The contract of names and texts: what is refused before anything is written, and that the rest is kept as given.

import type { Change, Claim, Store } from '@millrace/server'
import { expect } from 'vitest'
import {
  type ContractCase,
  change,
  claim,
  commitAll,
  jobKey,
  listKeys,
  put,
  queued,
  readOne,
} from './contract-scene.ts'

const key = jobKey(1)
const badNames = ['', 'a\nb', 'a\tb', 'a\u0000b', 'a\u001fb', 'x'.repeat(513), 'half\ud800', '\udc00half']
const halfLetter = 'half of one: \ud83d'
const badLimits = [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]
const badScores = [1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 51, -(2 ** 51)]

const prototypeNames = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__defineGetter__']
const strangeTexts = [
  '',
  ' ',
  '"\'`\\',
  '%_*?[]{}',
  '{tag}',
  '\u2028\u{1f600} żółć 漢字 \u0301',
  '\u007f\u00a0\ufeff',
]

function badChanges(room: string): Change[] {
  const good = { key, head: 'h' }
  return [
    ...badNames.flatMap((name) => [
      { ...change(room, {}), id: name },
      change(name, { put: [good] }),
      change(room, { put: [{ key: name, head: 'h' }] }),
      change(room, { put: [{ ...good, lists: ['fine', name] }] }),
      change(room, { put: [{ ...good, wideLists: [name] }] }),
      change(room, { put: [{ ...good, queue: { name, score: 1 } }] }),
      change(room, { put: [good], add: { [name]: 1 } }),
      change(room, { put: [good], announce: [{ subject: name, event: 'e' }] }),
    ]),
    ...badScores.flatMap((score) => [
      change(room, { put: [{ ...good, queue: { name: 'queue', score } }] }),
      change(room, { put: [{ ...good, dueAt: score }] }),
    ]),
    change(room, { put: [good, good] }),
    change(room, { put: [{ ...good, lists: ['a', 'b', 'c'], wideLists: ['d', 'e'] }] }),
    change(room, { put: [good], add: { running: 0.5 } }),
    change(room, { put: [{ key, head: 'two\nlines' }] }),
    change(room, { put: [{ ...good, attempt: 'two\nlines' }] }),
    change(room, { put: [good], announce: [{ subject: key, event: 'two\nlines' }] }),
    change(room, { put: [{ key, head: halfLetter }] }),
    change(room, { put: [{ ...good, attempt: halfLetter }] }),
    change(room, { put: [{ ...good, body: halfLetter }] }),
    change(room, { put: [good], announce: [{ subject: key, event: halfLetter }] }),
    change(room, { put: [good], announce: [{ subject: key, event: '' }] }),
    change(room, { put: [{ key: jobKey(2), head: 'h' }, good, { key: jobKey(2), head: 'h' }] }),
  ]
}

function badClaims(room: string): Claim[] {
  const prepared = { attempt: 'a', dueAt: 1, event: 'e' }
  const attempts = (parts: Partial<typeof prepared>) => ({ attempts: [{ ...prepared, ...parts }] })
  return [
    ...badNames.flatMap((name) => [
      claim(room, 'queue', 1, { id: name }),
      claim(name, 'queue', 1),
      claim(room, name, 1),
      claim(room, 'queue', 1, { move: { from: 'pending', to: name } }),
      claim(room, 'queue', 1, { add: { [name]: 1 } }),
    ]),
    ...badScores.map((dueAt) => claim(room, 'queue', 1, attempts({ dueAt }))),
    claim(room, 'queue', 1, attempts({ attempt: 'two\nlines' })),
    claim(room, 'queue', 1, attempts({ event: 'two\nlines' })),
    claim(room, 'queue', 1, attempts({ event: '' })),
    claim(room, 'queue', 1, attempts({ attempt: halfLetter })),
    claim(room, 'queue', 1, { add: { running: 0.5 } }),
    claim(room, 'queue', 1, { limits: [{ counter: 'running', max: 1.5 }] }),
    claim(room, 'queue', 1, { limits: [{ counter: 'running', max: Number.POSITIVE_INFINITY }] }),
  ]
}

async function refusals(asked: readonly (() => Promise<unknown>)[]): Promise<unknown[]> {
  const outcomes = await Promise.allSettled(asked.map((ask) => ask()))
  return outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : outcome.value))
}

async function expectAllRefused(store: Store, asked: readonly (Change | Claim)[]): Promise<void> {
  const send = (one: Change | Claim) => () => ('attempts' in one ? store.claim(one) : store.commit(one))
  const answers = await refusals(asked.map(send))
  const accepted = asked.filter((_, n) => !(answers[n] instanceof TypeError))
  expect(accepted.map((one) => JSON.stringify(one).slice(0, 240))).toEqual([])
}

export const textCases: readonly ContractCase[] = [
  {
    title:
      '[S30] a change with an unusable name, score or text is refused with a TypeError and changes nothing',
    run: async ({ store, room }) => {
      const here = room()
      await expectAllRefused(store, badChanges(here))
      expect(await readOne(store, here, key)).toBeNull()
      expect(await store.counters(here)).toEqual({})
      expect(await put(store, here, { key, head: 'h' })).toEqual({
        outcome: 'committed',
        revision: 1,
        sequence: 0,
      })
    },
  },
  {
    title:
      '[S30] a claim with an unusable name, instant or text is refused with a TypeError and takes nothing',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, queued(key, 1))
      await expectAllRefused(store, badClaims(here))
      expect(await store.queues(here)).toMatchObject([{ pending: 1 }])
      expect(await put(store, here, { key: jobKey(2), head: 'h' })).toMatchObject({ revision: 2 })
    },
  },
  {
    title: '[S30] a page with an unusable limit is refused with a TypeError',
    run: async ({ store, room }) => {
      const query = { partition: room(), lists: ['all'], order: 'oldest' } as const
      const answers = await refusals(badLimits.map((limit) => () => store.list({ ...query, limit })))
      expect(badLimits.filter((_, n) => !(answers[n] instanceof TypeError))).toEqual([])
    },
  },
  {
    title: '[S30] one refused change does not harm those sent together with it',
    run: async ({ store, room }) => {
      const here = room()
      const good = Array.from({ length: 10 }, (_, n) => () => put(store, here, { key: jobKey(n), head: 'h' }))
      const bad = () => store.commit(change(here, { put: [{ key: '', head: 'h' }] }))
      const answers = await refusals([...good.slice(0, 5), bad, ...good.slice(5)])
      expect(answers.filter((answer) => answer instanceof Error)).toHaveLength(1)
      expect(
        await store.read(
          here,
          good.map((_, n) => jobKey(n)),
        ),
      ).not.toContain(null)
    },
  },
  {
    title: '[S31] heads, attempts, bodies and events come back exactly as given',
    run: async ({ store, room }) => {
      const here = room()
      const feed = store.feed('now')
      await feed.ready
      for (const [n, text] of strangeTexts.entries()) {
        const record = { key: jobKey(n), head: text, attempt: `a${text}`, body: `${text}\n\t\u0000${text}` }
        await commitAll(
          store,
          change(here, { put: [record], announce: [{ subject: record.key, event: `e${text}` }] }),
        )
        expect(await readOne(store, here, record.key)).toMatchObject(record)
      }
      const seen: string[] = []
      for await (const item of feed) {
        if (item.kind === 'events' && item.partition === here)
          seen.push(...item.events.map(({ event }) => event))
        if (seen.length === strangeTexts.length) break
      }
      await feed.close()
      expect(seen).toEqual(strangeTexts.map((text) => `e${text}`))
    },
  },
  {
    title:
      '[S31] what neighbours in a change share comes back to each of them, and what one has alone to it alone',
    run: async ({ store, room }) => {
      const here = room()
      const feed = store.feed('now')
      await feed.ready
      const bodies = ['front\n1', 'front\n2', 'front\n', 'other\n3', 'front', '']
      const groups = [bodies.slice(0, 3), bodies, ['\n', '\n\n'], ['', 'front\n1']]
      const told: string[] = []
      for (const [g, group] of groups.entries()) {
        const records = group.map((body, n) => ({
          key: jobKey(10 * g + n),
          head: g === 1 && n === 2 ? 'own' : 'shared',
          attempt: g === 2 ? `a${n}` : 'a',
          body,
        }))
        const events = records.map(({ key: subject }, n) => ({ subject, event: n % 3 === 2 ? 'b' : 'a' }))
        // Of the records as they are put, of as many others, and of fewer.
        const announce = [events, events.toReversed(), events.slice(1), events][g] ?? []
        await commitAll(store, change(here, { put: records, announce }))
        told.push(...announce.map(({ subject, event }) => `${subject} ${event}`))
        for (const record of records) expect(await readOne(store, here, record.key)).toMatchObject(record)
      }
      const heard: string[] = []
      for await (const item of feed) {
        if (item.kind === 'events' && item.partition === here)
          heard.push(...item.events.map(({ subject, event }) => `${subject} ${event}`))
        if (heard.length >= told.length) break
      }
      await feed.close()
      expect(heard).toEqual(told)
    },
  },
  {
    title: '[S31] a claim that takes fewer than it asked for is told of with as many events, each its own',
    run: async ({ store, room }) => {
      const here = room()
      const feed = store.feed('now')
      await feed.ready
      await commitAll(store, change(here, { put: [1, 2, 3, 4].map((n) => queued(jobKey(n), n)) }))
      const events = ['a', 'a', 'b', 'b', 'b', 'c']
      const attempts = events.map((event, n) => ({ attempt: `${n}`, dueAt: 1, event }))
      const { records } = await store.claim(claim(here, 'queue', 0, { attempts }))
      expect(records).toHaveLength(4)
      for await (const item of feed) {
        if (item.kind !== 'events' || item.partition !== here) continue
        expect(item.events.map(({ event }) => event)).toEqual(['a', 'a', 'b', 'b'])
        break
      }
      await feed.close()
    },
  },
  {
    title: '[S31] an attempt that is empty text is an attempt, not none',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, { key, head: 'h', attempt: '' })
      expect(await readOne(store, here, key)).toMatchObject({ attempt: '' })
    },
  },
  {
    title: '[S31] names may hold any printable text, in every place a name is used',
    run: async ({ store, room, name }) => {
      for (const text of strangeTexts.slice(1)) {
        const here = room(text)
        const [record, wide] = [`job/${text}`, `${name()}${text}`]
        const queue = { name: text, score: 1 }
        await commitAll(
          store,
          change(here, {
            put: [{ key: record, head: 'h', lists: [text], wideLists: [wide], queue }],
            add: { [text]: 1 },
          }),
        )
        expect(await store.counters(here)).toEqual({ [text]: 1 })
        expect(await store.queues(here)).toEqual([{ partition: here, queue: text, pending: 1, headScore: 1 }])
        expect(await listKeys(store, { partition: here, lists: [text] })).toEqual([record])
        expect(await listKeys(store, { partition: null, lists: [wide] })).toEqual([record])
        const claimed = await store.claim(claim(here, text, 1, { move: { from: wide, to: `${wide}-2` } }))
        expect(claimed.records).toMatchObject([{ partition: here, key: record }])
      }
    },
  },
  {
    title: '[S31] names that objects inherit are names like any other',
    run: async ({ store, room }) => {
      const here = room('__proto__')
      const puts = prototypeNames.map((name) => ({
        key: name,
        head: name,
        lists: [name],
        queue: { name, score: 1 },
      }))
      const ones = Object.fromEntries(prototypeNames.map((name) => [name, 1]))
      await commitAll(store, change(here, { put: puts, add: ones }))
      expect(Object.entries(await store.counters(here)).toSorted()).toEqual(Object.entries(ones).toSorted())
      expect((await store.read(here, prototypeNames)).map((record) => record?.head)).toEqual(prototypeNames)
      expect(await listKeys(store, { partition: here, lists: ['__proto__'] })).toEqual(['__proto__'])
      expect((await store.queues(here)).map(({ queue }) => queue)).toEqual(prototypeNames.toSorted())
      expect(await store.commit(change(here, { expect: ones }))).toMatchObject({ outcome: 'committed' })
      const wrong = Object.fromEntries([
        ['constructor', 1],
        ['__proto__', 5],
      ])
      expect(await store.commit(change(here, { expect: wrong }))).toEqual({
        outcome: 'stale',
        key: '__proto__',
        version: 1,
      })
    },
  },
  {
    title: '[S31] a body of 1 MB is kept whole, read back, listed and claimed',
    run: async ({ store, room }) => {
      const here = room()
      const body = '0123456789abcdé\n'.repeat(65_536)
      await put(store, here, queued(key, 1, { body, lists: ['all'] }))
      expect((await readOne(store, here, key))?.body === body).toBe(true)
      const [listed] = await store.list({ partition: here, lists: ['all'], order: 'oldest', limit: 1 })
      expect(listed?.body === body).toBe(true)
      const { records } = await store.claim(claim(here, 'queue', 1))
      expect(records[0]?.body === body).toBe(true)
    },
  },
  {
    title: '[S31] a change of 1,000 puts and 1,000 events is one change',
    run: async ({ store, room }) => {
      const here = room()
      const keys = Array.from({ length: 1000 }, (_, n) => jobKey(n))
      const announce = keys.map((subject) => ({ subject, event: 'made' }))
      const puts = keys.map((each, n) => queued(each, n, { body: `body ${n}`, lists: ['all'] }))
      const answer = await commitAll(store, change(here, { put: puts, announce }))
      expect(answer).toEqual({ outcome: 'committed', revision: 1, sequence: 1000 })
      expect(await listKeys(store, { partition: here, lists: ['all'], limit: 2000 })).toEqual(keys)
      expect(await store.queues(here)).toMatchObject([{ pending: 1000, headScore: 0 }])
      expect((await store.claim(claim(here, 'queue', 1000))).records).toHaveLength(1000)
    },
  },
]
