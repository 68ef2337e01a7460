import { describe, expect, it } from 'vitest'
import { patchesById, patchPages, rowOfPatches, withFresh } from './job-pages.ts'
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
})
