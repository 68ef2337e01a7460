// How it goes, over time and now: figures of this replica's memory for screens. Of rooms that the caller may not see
// nothing is counted, so whoever is no admin is not told of slots, which all rooms share.

import Type, { type Static } from 'typebox'
import { route } from '../route.ts'
import { Count, Instant, Name, nullable, oneOf, strict } from '../shapes.ts'

const Quantile = nullable(Type.Number())

const SeriesPoint = strict({
  /** When the interval began. */
  at: Instant,
  completed: Count,
  failed: Count,
  cancelled: Count,
  waitMsP50: Quantile,
  waitMsP95: Quantile,
  runMsP50: Quantile,
  runMsP95: Quantile,
  /** At the last look in the interval; null where there was none. */
  pending: nullable(Count),
  running: nullable(Count),
  slots: nullable(Count),
  busySlots: nullable(Count),
})
export type SeriesPoint = Static<typeof SeriesPoint>

export const getSeries = route({
  method: 'GET',
  path: '/api/series',
  tag: 'overview',
  summary: 'Throughput, failures, waits, runs and depth over time: an hour by 10 s, or a week by 10 min',
  access: 'signed-in',
  query: strict({
    span: Type.Optional(oneOf('hour', 'week')),
    room: Type.Optional(Name),
    /** Only what began at or after it. */
    since: Type.Optional(Instant),
  }),
  replies: {
    200: strict({
      stepMs: Count,
      /** Since when this replica has counted; what was before it does not know. */
      countedSince: Instant,
      points: Type.Array(SeriesPoint),
    }),
  },
})

const Trouble = strict({
  kind: oneOf('waiting', 'failing', 'slow', 'worker'),
  sentence: Type.String(),
  room: Type.Optional(Name),
  category: Type.Optional(Name),
  extension: Type.Optional(Name),
  worker: Type.Optional(Name),
  count: Type.Optional(Count),
})
export type Trouble = Static<typeof Trouble>

export const Overview = strict({
  at: Instant,
  pending: Count,
  running: Count,
  /** How long the job that has waited longest has waited; null when none waits. */
  oldestWaitMs: nullable(Type.Number()),
  workers: Count,
  slots: nullable(Count),
  busySlots: nullable(Count),
  /** Over the last ten minutes. */
  recent: strict({
    completed: Count,
    failed: Count,
    cancelled: Count,
    waitMsP50: Quantile,
    waitMsP95: Quantile,
    runMsP50: Quantile,
    runMsP95: Quantile,
  }),
  /** What is not as it should be, the worst first; empty when all is well. */
  troubles: Type.Array(Trouble),
})
export type Overview = Static<typeof Overview>

export const getOverview = route({
  method: 'GET',
  path: '/api/overview',
  tag: 'overview',
  summary: 'How it goes now, and what is not as it should be, over the rooms I may see',
  access: 'signed-in',
  replies: { 200: Overview },
})
