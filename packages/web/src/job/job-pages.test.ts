import { describe, expect, it } from 'vitest'
import { segmentsOf } from './bar-segments.ts'
import {
  isBelow,
  patchesById,
  patchPages,
  rowOfPatches,
  unshown,
  withFresh,
  withoutStrays,
} from './job-pages.ts'
import { type JobPatch, patchRow } from './job-row.ts'
import { sampleRow } from './sample-row.ts'

const patch = (
  id: string,
  status: JobPatch['status'],
  at: number,
  more: Partial<JobPatch> = {},
): JobPatch => ({
  id,
  room: 'lab',
  status,
  at,
  ...more,
})

describe('a row and the events about it', () => {
  it('[U38] takes the state, and the instant at which it was committed', () => {
    const events = [
      patch('a', 'assigned', 110, { worker: 'w' }),
      patch('a', 'running', 120),
      patch('a', 'completed', 150, { waitMs: 10, runMs: 30 }),
    ]
    expect(events.reduce(patchRow, sampleRow('a'))).toEqual(
      sampleRow('a', {
        status: 'completed',
        worker: 'w',
        assignedAt: 110,
        startedAt: 120,
        endedAt: 150,
        waitMs: 10,
        runMs: 30,
      }),
    )
  })

  it('[U38] does not fall back to what it was before', () => {
    const done = sampleRow('a', { status: 'completed', endedAt: 150 })
    expect(patchRow(done, patch('a', 'running', 120))).toBe(done)
  })

  it('[U38] forgets its progress with its attempt, and shows how far a cancel is', () => {
    const progress = { fraction: 0.5, at: 120 }
    const running = sampleRow('a', { status: 'running', startedAt: 120, progress })
    expect(patchRow(running, patch('a', 'pending', 130))).not.toHaveProperty('progress')
    expect(patchRow(running, patch('a', 'running', 130, { cancel: 'requested' }))).toMatchObject({
      progress,
      cancelStage: 'requested',
      startedAt: 120,
    })
  })
})

describe('a row whose attempt was not the last', () => {
  const lost = [
    patch('a', 'assigned', 110),
    patch('a', 'running', 120),
    patch('a', 'pending', 150),
    patch('a', 'assigned', 180),
  ]
  const drawn = (events: readonly JobPatch[], now: number) =>
    segmentsOf(events.reduce(patchRow, sampleRow('a')), now).map(({ phase, ms }) => [phase, ms])

  it('[U112] forgets its instants and waits anew', () => {
    const waits = lost.slice(0, 3).reduce(patchRow, sampleRow('a'))
    expect(waits).toEqual(sampleRow('a', { requeuedAt: 150 }))
    expect(drawn(lost.slice(0, 3), 160)).toEqual([
      ['earlier', 50],
      ['pending', 10],
    ])
    expect(patchRow(waits, patch('a', 'running', 120))).toBe(waits)
  })

  it('[U112] is drawn with what came before and the attempt that goes on', () => {
    expect(drawn(lost, 190)).toEqual([
      ['earlier', 80],
      ['assigned', 10],
    ])
    expect(drawn([...lost, patch('a', 'running', 185), patch('a', 'failed', 200)], 999)).toEqual([
      ['earlier', 80],
      ['assigned', 5],
      ['running', 15],
    ])
  })

  it('[U112] is not taken for one when its submit is told again', () => {
    const first = { category: 'analysis', extension: 'Pi', submitter: 'ada' }
    const assigned = sampleRow('a', { status: 'assigned', assignedAt: 100 })
    const events = [patch('a', 'pending', 100, first), patch('a', 'assigned', 100)]
    expect(events.reduce(patchRow, assigned)).toEqual(assigned)
  })
})

describe('pages of rows', () => {
  it('[U38] stay the same objects where nothing changed, and rows keep their places', () => {
    const pages = [
      { jobs: [sampleRow('a'), sampleRow('b')], looked: 2 },
      { jobs: [sampleRow('c')], looked: 1 },
    ]
    const patched = patchPages(pages, patchesById([patch('b', 'running', 120), patch('x', 'pending', 120)]))
    expect([...patched.seen]).toEqual(['b'])
    expect(patched.pages[0]?.jobs.map(({ id, status }) => [id, status])).toEqual([
      ['a', 'pending'],
      ['b', 'running'],
    ])
    expect(patched.pages[0]?.jobs[0]).toBe(pages[0]?.jobs[0])
    expect(patched.pages[1]).toBe(pages[1])
    expect(patchPages(pages, patchesById([patch('x', 'pending', 120)])).pages).toBe(pages)
  })

  it('[U38] a job that was just submitted is a row of its own once its first event was heard', () => {
    const first = patch('01a1e3d6-5a6d-7000-b892-9b6fe5c32cdc', 'pending', 5, {
      category: 'analysis',
      extension: 'Pi',
      submitter: 'ada',
    })
    const known = rowOfPatches(undefined, [first, patch(first.id, 'assigned', 2e12)])
    expect(known).toMatchObject({ status: 'assigned', extension: 'Pi', createdAt: 0x01a1e3d65a6d })
    expect(rowOfPatches(known ?? undefined, [patch(first.id, 'running', 2e12 + 1)])).toMatchObject({
      status: 'running',
    })
    expect(rowOfPatches(undefined, [patch('y', 'running', 5)])).toBeNull()
  })

  it('[U38] what is new is shown above, newest first and none twice', () => {
    const rows = [sampleRow('b', { createdAt: 200 }), sampleRow('a')]
    const fresh = [
      sampleRow('c', { createdAt: 300 }),
      sampleRow('d', { createdAt: 400 }),
      sampleRow('b', { createdAt: 200 }),
    ]
    expect(withFresh(rows, fresh).map(({ id }) => id)).toEqual(['d', 'c', 'b', 'a'])
  })

  it('[U111] what a fetch has brought meanwhile is new no longer', () => {
    const fresh = [sampleRow('c'), sampleRow('b')]
    expect(unshown([sampleRow('a')], fresh)).toHaveLength(2)
    expect(unshown([sampleRow('b'), sampleRow('a')], fresh).map(({ id }) => id)).toEqual(['c'])
  })

  it('[U110] what lies below the last row comes as one scrolls there, and is not new', () => {
    const jobs = [sampleRow('c', { createdAt: 300 }), sampleRow('b', { createdAt: 200 })]
    const pages = (cursor?: string) => [{ jobs, looked: 2, cursor }]
    const [between, below] = [sampleRow('x', { createdAt: 250 }), sampleRow('a', { createdAt: 100 })]
    expect(isBelow(pages('more'), between)).toBe(false)
    expect(isBelow(pages('more'), below)).toBe(true)
    expect(isBelow(pages(), below)).toBe(false)
    expect(isBelow([{ jobs: [], looked: 0 }], below)).toBe(false)
  })

  it('[U130] let go of what no longer matches, and still know how far down they reached', () => {
    const jobs = [sampleRow('b', { createdAt: 200 }), sampleRow('a', { createdAt: 100, status: 'running' })]
    const pages = [{ jobs, looked: 2, cursor: 'more' }]
    const left = withoutStrays(pages, { status: ['pending'] })
    expect(left[0]?.jobs.map(({ id }) => id)).toEqual(['b'])
    expect(isBelow(left, sampleRow('between', { createdAt: 150 }))).toBe(false)
    expect(isBelow(left, sampleRow('below', { createdAt: 50 }))).toBe(true)
    expect(withoutStrays(left, { status: ['pending'] })[0]).toBe(left[0])
    expect(withoutStrays(pages, {})[0]).toBe(pages[0])
  })
})
