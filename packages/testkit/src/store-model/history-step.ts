// Random steps of a history. They speak of rooms, records and queues by small numbers, so that they collide often;
// what they mean in full is decided when they are played, against what the model holds by then.

import fc from 'fast-check'

export interface PutPlan {
  readonly record: number
  readonly head: string
  readonly body?: string | undefined
  readonly attempt?: string | undefined
  readonly lists: readonly string[]
  readonly wide: readonly number[]
  readonly queue?: { readonly name: string; readonly score: number } | undefined
  readonly dueAt?: number | undefined
}

export type HistoryStep =
  | {
      readonly do: 'commit'
      readonly room: number
      readonly expect: readonly { readonly record: number; readonly right: boolean }[]
      readonly put: readonly PutPlan[]
      readonly remove: readonly number[]
      readonly add: Readonly<Record<string, number>>
      readonly events: readonly string[]
      /** Each put is told of, in the same words. */
      readonly tells: boolean
    }
  | {
      readonly do: 'claim'
      readonly room: number
      readonly queue: string
      readonly wanted: number
      readonly max?: number | undefined
      readonly dueAt: number
      readonly wide: readonly [number, number]
    }
  | { readonly do: 'send again'; readonly which: number }
  | { readonly do: 'read'; readonly room: number; readonly records: readonly number[] }
  | {
      readonly do: 'list'
      readonly room: number | null
      readonly lists: readonly string[]
      readonly wide: readonly number[]
      readonly order: 'oldest' | 'newest'
      readonly after?: number | undefined
      readonly before?: number | undefined
      readonly limit: number
    }
  | { readonly do: 'queues' | 'counters'; readonly room: number }
  | { readonly do: 'due'; readonly now: number }

export const roomCount = 2
export const recordCount = 10
export const wideCount = 2
export const listNames: readonly string[] = ['mine', 'all']
const queueNames: readonly string[] = ['queue', 'queue-2']
const counterNames: readonly string[] = ['running', 'constructor']

/** The steps of one history are always this many, so that every run explores equally far. */
const historyLength = 50

const room = fc.nat(roomCount - 1)
const record = fc.nat(recordCount - 1)
const instant = fc.integer({ min: -20, max: 20 })
const text = fc.string({ unit: 'grapheme', maxLength: 6 }).map((raw) => raw.replaceAll(/\p{Cc}/gu, '·'))
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

const put: fc.Arbitrary<PutPlan> = fc.record({
  record,
  head: text,
  body: maybe(
    fc.oneof(
      text,
      text.map((raw) => `front\n${raw}`),
    ),
  ),
  attempt: maybe(text.map((raw) => `a${raw}`)),
  lists: fc.subarray([...listNames]),
  wide: fc.subarray([0, 1]),
  queue: maybe(fc.record({ name: fc.constantFrom(...queueNames), score: fc.integer({ min: -3, max: 3 }) })),
  dueAt: maybe(instant),
})

// Many that go to the same places, as in a bulk: a store may keep them as one.
const crowd = fc
  .record({ plan: put, records: fc.uniqueArray(record, { minLength: 4 }) })
  .map(({ plan, records }) =>
    records.map((each) => ({ ...plan, record: each, body: plan.body && `${plan.body}${each}` })),
  )

const commit = fc.record({
  do: fc.constant('commit' as const),
  room,
  // Four of five are right, or hardly any change with several expectations would ever be applied.
  expect: fc.uniqueArray(fc.record({ record, right: fc.nat(4).map((n) => n > 0) }), {
    selector: (each) => each.record,
    maxLength: 3,
  }),
  put: fc.oneof(fc.uniqueArray(put, { selector: (each) => each.record, maxLength: 3 }), crowd),
  remove: fc.oneof(
    { weight: 7, arbitrary: fc.uniqueArray(record, { maxLength: 1 }) },
    { weight: 1, arbitrary: fc.uniqueArray(record) },
  ),
  add: fc.dictionary(fc.constantFrom(...counterNames), fc.integer({ min: -2, max: 2 }), {
    noNullPrototype: true,
  }),
  events: fc.array(
    text.map((raw) => `e${raw}`),
    { maxLength: 3 },
  ),
  tells: fc.boolean(),
})

const claim = fc.record({
  do: fc.constant('claim' as const),
  room,
  queue: fc.constantFrom(...queueNames),
  wanted: fc.nat(8),
  max: maybe(fc.integer({ min: -1, max: 6 })),
  dueAt: instant,
  wide: fc.constantFrom<[number, number]>([0, 1], [1, 0]),
})

const list = fc.record({
  do: fc.constant('list' as const),
  room: fc.option(room),
  lists: fc.subarray([...listNames]),
  wide: fc.subarray([0, 1]),
  order: fc.constantFrom('oldest' as const, 'newest' as const),
  after: maybe(record),
  before: maybe(record),
  limit: fc.integer({ min: 1, max: 8 }),
})

const look = fc.record({ do: fc.constantFrom('counters' as const, 'queues' as const), room })

export const historyArbitrary: fc.Arbitrary<HistoryStep[]> = fc.array(
  fc.oneof(
    // First, because every other step shrinks to it: a step that changes nothing.
    { withCrossShrink: true },
    { weight: 2, arbitrary: look as fc.Arbitrary<HistoryStep> },
    { weight: 8, arbitrary: commit },
    { weight: 4, arbitrary: claim },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('send again' as const), which: fc.nat(1000) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('read' as const),
        room,
        records: fc.array(record, { maxLength: 4 }),
      }),
    },
    { weight: 2, arbitrary: list },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('due' as const), now: instant }) },
  ),
  { minLength: historyLength, maxLength: historyLength },
)
