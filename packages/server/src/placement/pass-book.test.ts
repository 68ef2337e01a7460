import type { PlacementPlan, PlacementSnapshot, RoomName, WorkerId } from '@millrace/domain'
import { describe, expect, it } from 'vitest'
import { type KeptPass, PassBook, sumsOf } from './pass-book.ts'

function snapshotOf(classes: number): PlacementSnapshot {
  const one = { room: 'lab' as RoomName, extension: 'x', ability: 'x', band: 0, pending: 1 }
  return {
    rooms: [],
    classes: Array.from({ length: classes }, (_, n) => ({ ...one, key: `lab ${n}` })),
    workers: [],
  }
}

function planOf(starts: number): PlacementPlan {
  const assignments = [{ class: 'lab x', worker: 'w' as WorkerId, count: starts }]
  return { assignments, direct: true, waiting: [], vectorRejects: 0 }
}

function started(pass: KeptPass | undefined): number | null {
  return pass ? sumsOf(pass).started : null
}

describe('PassBook', () => {
  it('[G2] remembers the last 200 passes, oldest first', () => {
    const book = new PassBook()
    for (let n = 0; n < 250; n++) book.note(1_000 * n, snapshotOf(1), planOf(n), 1)
    expect(book.all()).toHaveLength(200)
    expect(book.all()[0]?.since).toBe(50_000)
    expect(book.all().at(-1)).toMatchObject({ since: 249_000, passes: 1 })
    expect(started(book.all().at(-1))).toBe(249)
  })

  it('[G2] passes within a tenth of a second stand as one, with all they started and the last of their networks', () => {
    const book = new PassBook()
    const last = snapshotOf(3)
    book.note(1_000, snapshotOf(1), planOf(1), 1)
    book.note(1_099, last, planOf(2), 1)
    book.note(1_100, snapshotOf(1), planOf(4), 1)
    const [first, second] = book.all()
    expect(first).toMatchObject({ since: 1_000, at: 1_099, passes: 2 })
    expect(started(first)).toBe(3)
    expect(first?.drawing?.snapshot).toBe(last)
    expect(second).toMatchObject({ since: 1_100, passes: 1 })
  })

  it('[G2] a clock that is set back begins anew, so that no two passes have one name', () => {
    const book = new PassBook()
    for (const at of [5_000, 1_000, 5_000]) book.note(at, snapshotOf(1), planOf(1), 1)
    expect(book.all().map(({ since }) => since)).toEqual([1_000, 5_000])
  })

  it('[G2] networks are dropped from the oldest on where they are too large together, never the last one', () => {
    const book = new PassBook()
    for (let n = 0; n < 10; n++) book.note(1_000 * n, snapshotOf(6_000), planOf(1), 1)
    expect(book.all().map(({ drawing }) => drawing !== null)).toEqual([
      ...Array(7).fill(false),
      true,
      true,
      true,
    ])
    book.note(100_000, snapshotOf(50_000), planOf(1), 1)
    expect(book.all().filter(({ drawing }) => drawing !== null)).toHaveLength(1)
    expect(book.all().at(-1)?.drawing).not.toBeNull()
    expect(book.all().map(started)).toEqual(Array(11).fill(1))
  })
})
