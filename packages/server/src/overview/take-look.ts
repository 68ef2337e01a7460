// What waits and runs at this moment, as this replica knows it: what waits of the whole store, what runs on its workers.

import type { WaitingQueues } from '../placement/waiting-queues.ts'
import type { Roster } from '../worker/roster.ts'
import type { Look } from './series.ts'

export interface LookParts {
  readonly waiting: WaitingQueues
  readonly roster: Roster
}

export function takeLook({ waiting, roster }: LookParts): Look {
  const pending = new Map<string, number>()
  for (const { room, pending: count } of waiting.all()) pending.set(room, (pending.get(room) ?? 0) + count)
  const running = new Map<string, number>()
  let [slots, busySlots] = [0, 0]
  for (const { record, capacity, running: attempts } of roster.all()) {
    const { slots: its } = record.worker.capacity.total
    slots += its
    // What is handed over early has no slot yet.
    busySlots += Math.min(its, capacity.taken.slots)
    for (const { room } of attempts.values()) running.set(room, (running.get(room) ?? 0) + 1)
  }
  return { pending, running, slots, busySlots }
}
