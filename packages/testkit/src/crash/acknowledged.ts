// What a committer was told is committed, collected over its many deaths, and the questions a store must answer about
// it afterwards.

import { randomInt } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Partition, Store } from '@millrace/server'
import { expect } from 'vitest'
import { type ChildLines, startChild } from '../process/child-process.ts'
import { changeId } from '../store-contract/change-id.ts'
import { type CommitterTarget, committerRooms } from './committer.ts'

const committer = fileURLToPath(new URL('./committer.ts', import.meta.url))

// A process killed while it prints leaves half a line, which was not yet an acknowledgement.
const wholeLine = /^(?<room>room-[a-d]) (?<id>[0-9a-f-]{36})$/

export type Acknowledged = ReadonlyMap<Partition, string[]>

export function noneAcknowledged(): Acknowledged {
  return new Map(committerRooms.map((room) => [room, []]))
}

export function startCommitter(target: CommitterTarget): ChildLines {
  return startChild(process.execPath, ['--no-warnings', committer, JSON.stringify(target)])
}

export function acknowledge(acknowledged: Acknowledged, lines: readonly string[]): void {
  for (const line of lines) {
    const { room = '', id = '' } = wholeLine.exec(line)?.groups ?? {}
    acknowledged.get(room)?.push(id)
  }
}

/** The ids of all records found, acknowledged or not: a change may be committed and its answer die with its reader. */
export async function expectAllKept(
  store: Store,
  acknowledged: Acknowledged,
): Promise<Map<Partition, string[]>> {
  const found = new Map<Partition, string[]>()
  for (const [room, ids] of acknowledged) {
    const records = await store.list({ partition: room, lists: ['all'], order: 'oldest', limit: 1_000_000 })
    const heads = records.map(({ head }) => head)
    const kept = new Set(heads)
    expect(ids.filter((id) => !kept.has(id))).toEqual([])
    // Each record was made by one change that counted it and had one event: more would mean that one ran twice.
    const { made = 0 } = await store.counters(room)
    const next = await store.commit({ id: changeId(), partition: room })
    expect({ made, next }).toEqual({
      made: heads.length,
      next: { outcome: 'committed', revision: heads.length + 1, sequence: heads.length },
    })
    found.set(room, heads)
  }
  return found
}

/**
 * Small numbers kill a committer that has just begun, large ones one in full swing. Drawn without a seed: where exactly
 * the signal meets the process could not be replayed anyway.
 */
export function linesBeforeKill(): number {
  return randomInt(1, 121)
}
