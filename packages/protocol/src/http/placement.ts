// Placement as a picture: what flowed where in a pass, where it was narrow, and what one more worker would change. What
// belongs to rooms that the caller may not see is left out, or has no name where it takes slots that they do see.

import Type, { type Static } from 'typebox'
import { route } from '../route.ts'
import { Count, choice, Id, Instant, JsonObject, Name, nullable, oneOf, Scope, strict } from '../shapes.ts'

/** A class: jobs of one extension and schema in one room, which are alike to placement. */
const ClassFields = {
  room: Name,
  scope: Scope,
  category: Name,
  extension: Name,
  hash: Type.String(),
}

const PlacementNode = strict({
  /** Stands for the node in the edges of this answer, and nowhere else. */
  id: Type.String(),
  kind: oneOf('source', 'room', 'class', 'extension', 'pool', 'sink'),
  label: Type.String(),
  /** Of rooms that the caller may not see, several as one. */
  hidden: Type.Boolean(),
  room: Type.Optional(Name),
  scope: Type.Optional(Scope),
  category: Type.Optional(Name),
  extension: Type.Optional(Name),
  hash: Type.Optional(Type.String()),
  /** Of a pool: its first workers by name, how many they are, and the slots of all. */
  workers: Type.Optional(Type.Array(Id)),
  workerCount: Type.Optional(Count),
  slots: Type.Optional(Count),
  freeSlots: Type.Optional(Count),
})
export type PlacementNode = Static<typeof PlacementNode>

const PlacementEdge = strict({
  from: Type.String(),
  to: Type.String(),
  /** Jobs that the pass sent this way. */
  flow: Count,
  capacity: Count,
  /** The minimum cut goes through it: here it is narrow. */
  cut: Type.Boolean(),
})
export type PlacementEdge = Static<typeof PlacementEdge>

const WaitingClass = strict({
  ...ClassFields,
  count: Count,
  reason: Type.String(),
  sentence: Type.String(),
  details: JsonObject,
})
export type WaitingClass = Static<typeof WaitingClass>

export const PlacementView = strict({
  /** Null: this replica has made no pass yet that concerned a room of the caller's. */
  at: nullable(Instant),
  /** Names it in the history. */
  pass: nullable(Instant),
  nodes: Type.Array(PlacementNode),
  edges: Type.Array(PlacementEdge),
  waiting: Type.Array(WaitingClass),
})
export type PlacementView = Static<typeof PlacementView>

export const getPlacement = route({
  method: 'GET',
  path: '/api/placement',
  tag: 'placement',
  summary: 'The network of the last pass of this replica, or of an earlier one that it still remembers',
  access: 'signed-in',
  query: strict({ pass: Type.Optional(Instant) }),
  replies: { 200: PlacementView },
})

const PassSummary = strict({
  /** By what its network is asked for. */
  pass: Instant,
  at: Instant,
  started: Count,
  waiting: Count,
  /** Whether its network is still remembered. */
  drawn: Type.Boolean(),
  /** Passes that followed each other within a tenth of a second stand here as one; this and the rest is for admins. */
  passes: nullable(Count),
  planMs: nullable(Type.Number()),
  workers: nullable(Count),
  freeSlots: nullable(Count),
})
export type PassSummary = Static<typeof PassSummary>

export const placementHistory = route({
  method: 'GET',
  path: '/api/placement/history',
  tag: 'placement',
  summary: 'The last 200 passes of this replica, oldest first',
  access: 'signed-in',
  replies: { 200: strict({ passes: Type.Array(PassSummary) }) },
})

export const WhatIfView = strict({
  /** Jobs that would start now beside those that start anyway; less than 0 where others would take their turn. */
  more: Type.Integer(),
  classes: Type.Array(strict({ ...ClassFields, before: Count, after: Count })),
  waiting: Type.Array(WaitingClass),
})
export type WhatIfView = Static<typeof WhatIfView>

export const whatIfPlacement = route({
  method: 'POST',
  path: '/api/placement/what-if',
  tag: 'placement',
  summary:
    'What one more worker would start now: of this shape, or like one there is; nothing is changed by asking',
  access: 'signed-in',
  body: choice({
    like: Id,
    slots: Type.Integer(),
    cpu: Type.Number(),
    memoryMb: Type.Integer(),
    gpu: Type.Number(),
    labels: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 32 }),
    extensions: Type.Array(
      strict({
        /** Of an extension of scope room. */
        room: Type.Optional(Name),
        scope: Scope,
        category: Name,
        name: Name,
        /** Another version than the current one. */
        hash: Type.Optional(Type.String({ maxLength: 128 })),
      }),
      { maxItems: 200 },
    ),
  }),
  replies: { 200: WhatIfView },
})
