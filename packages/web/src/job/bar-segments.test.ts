import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { segmentsOf, sharesOf, type Timed, totalMs } from './bar-segments.ts'

const told = (job: Timed, now: number) => segmentsOf(job, now).map(({ phase, ms, open }) => [phase, ms, open])

describe('the segmented bar', () => {
  it.each<[string, Timed, number, unknown]>([
    ['waits', { status: 'pending', createdAt: 100 }, 160, [['pending', 60, true]]],
    [
      'was assigned',
      { status: 'assigned', createdAt: 100, assignedAt: 130 },
      160,
      [
        ['pending', 30, false],
        ['assigned', 30, true],
      ],
    ],
    [
      'runs',
      { status: 'running', createdAt: 100, assignedAt: 130, startedAt: 135 },
      160,
      [
        ['pending', 30, false],
        ['assigned', 5, false],
        ['running', 25, true],
      ],
    ],
    [
      'has ended, and does not grow',
      { status: 'completed', createdAt: 100, assignedAt: 130, startedAt: 135, endedAt: 150 },
      999,
      [
        ['pending', 30, false],
        ['assigned', 5, false],
        ['running', 15, false],
      ],
    ],
    [
      'was tried before, of which a list knows only that',
      { status: 'completed', createdAt: 100, assignedAt: 130, startedAt: 135, endedAt: 150, charged: 1 },
      999,
      [
        ['earlier', 30, false],
        ['assigned', 5, false],
        ['running', 15, false],
      ],
    ],
    [
      'failed at its first try',
      { status: 'failed', createdAt: 100, assignedAt: 130, startedAt: 135, endedAt: 150, charged: 1 },
      999,
      [
        ['pending', 30, false],
        ['assigned', 5, false],
        ['running', 15, false],
      ],
    ],
    [
      'was cancelled before anybody had it',
      { status: 'cancelled', createdAt: 100, endedAt: 150 },
      999,
      [['pending', 50, false]],
    ],
  ])('[U40] of a job that %s', (_, job, now, expected) => {
    expect(told(job, now)).toEqual(expected)
  })

  it('[U40] shows every attempt, the wait between them, and how the earlier ones ended', () => {
    const job: Timed = {
      status: 'running',
      createdAt: 0,
      attempts: [
        { assignedAt: 10, startedAt: 12, endedAt: 20, outcome: 'failed' },
        { assignedAt: 50, startedAt: 51 },
      ],
    }
    expect(
      segmentsOf(job, 60).map(({ phase, ms, attempt, outcome }) => [phase, ms, attempt, outcome]),
    ).toEqual([
      ['pending', 10, 1, undefined],
      ['assigned', 2, 1, undefined],
      ['running', 8, 1, 'failed'],
      ['pending', 30, 2, undefined],
      ['assigned', 1, 2, undefined],
      ['running', 9, 2, undefined],
    ])
  })

  it('[U40] a job that waits for its next attempt is pending again', () => {
    const attempts = [{ assignedAt: 10, startedAt: 12, endedAt: 20, outcome: 'failed' }]
    const segments = segmentsOf({ status: 'pending', createdAt: 0, attempts }, 60)
    expect(segments.at(-1)).toMatchObject({ phase: 'pending', ms: 40, open: true, attempt: 2 })
  })

  it('[U40] the segments add up to the life of the job, and their shares to the whole bar', () => {
    const steps = fc.array(fc.nat(100_000), { minLength: 4, maxLength: 4 })
    fc.assert(
      fc.property(steps, ([wait = 0, accept = 0, run = 0, since = 0]) => {
        const createdAt = 1_000
        const assignedAt = createdAt + wait
        const startedAt = assignedAt + accept
        const endedAt = startedAt + run
        const segments = segmentsOf(
          { status: 'completed', createdAt, assignedAt, startedAt, endedAt },
          endedAt + since,
        )
        expect(totalMs(segments)).toBe(endedAt - createdAt)
        const shares = sharesOf(segments.map(({ ms }) => ms))
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9)
        for (const share of shares) expect(share).toBeGreaterThanOrEqual(0.015)
      }),
      { seed: 6 },
    )
  })

  it('[U40] what is thick enough to be seen keeps its true proportion', () => {
    const [wait = 0, , run = 0] = sharesOf([3_000, 1, 6_000])
    expect(run / wait).toBeCloseTo(2, 9)
    expect(sharesOf([0, 0])).toEqual([0.5, 0.5])
    expect(sharesOf([])).toEqual([])
  })
})
