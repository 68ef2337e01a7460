// Redriving dead letters, each once and as a new job that names the old one: some by their ids, or all that a filter
// finds, room by room and in as many steps as the server wants it in.

import { type ManyDone, routes } from '@millrace/protocol'
import { call } from '../connection/api.ts'

export interface LetterFilter {
  readonly category?: string
  readonly extension?: string
  readonly submitter?: string
  readonly search?: string
}

export interface Chosen {
  readonly room: string
  readonly ids: readonly string[]
}

/** As many as the server takes in one request. */
const idsAtOnce = 1_000

const nothing: ManyDone = { matched: 0, done: 0, refused: [] }

export async function redriveChosen(chosen: readonly Chosen[]): Promise<ManyDone> {
  let total = nothing
  for (const { room, ids } of chosen) {
    for (let at = 0; at < ids.length; at += idsAtOnce) {
      const body = { ids: ids.slice(at, at + idsAtOnce) }
      total = sum(total, await call(routes.redriveDeadLetters, { params: { room }, body }))
    }
  }
  return total
}

export async function redriveAll(
  rooms: readonly string[],
  filter: LetterFilter,
  dryRun: boolean,
): Promise<ManyDone> {
  let total = nothing
  for (const room of rooms) {
    let cursor: string | undefined
    do {
      const body = { filter, dryRun, ...(cursor !== undefined && { cursor }) }
      const step = await call(routes.redriveDeadLetters, { params: { room }, body })
      total = sum(total, step)
      cursor = step.next
    } while (cursor !== undefined)
  }
  return total
}

function sum(a: ManyDone, b: ManyDone): ManyDone {
  return { matched: a.matched + b.matched, done: a.done + b.done, refused: [...a.refused, ...b.refused] }
}

/** Ids by the room they lie in. */
export function byRoom(jobs: Iterable<{ readonly room: string; readonly id: string }>): readonly Chosen[] {
  const rooms = new Map<string, string[]>()
  for (const { room, id } of jobs) rooms.set(room, [...(rooms.get(room) ?? []), id])
  return [...rooms].map(([room, ids]) => ({ room, ids }))
}

/** What came of it, in a sentence. */
export function redrivenText({ done, refused }: ManyDone): string {
  const ran = done === 1 ? '1 job was redriven' : `${done.toLocaleString('en')} jobs were redriven`
  if (refused.length === 0) return `${ran}.`
  const codes = [...new Set(refused.map(({ code }) => code))].join(', ')
  return `${ran}; ${refused.length.toLocaleString('en')} could not be (${codes}).`
}
