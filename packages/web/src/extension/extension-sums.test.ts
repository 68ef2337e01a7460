import { describe, expect, it } from 'vitest'
import { worseBreaker } from './breaker.ts'
import { failureRate, isStuck, type ListedIn, type RoomFigures, sumExtensions } from './extension-sums.ts'

const listed = (room: string, name: string, change: Partial<ListedIn> = {}): ListedIn =>
  ({
    room,
    scope: 'room',
    category: 'analysis',
    name,
    workers: 1,
    paused: null,
    owner: 'ada',
    ...change,
  }) as ListedIn

const figures = (room: string, name: string, change: Partial<RoomFigures> = {}): RoomFigures => ({
  room,
  scope: 'room',
  category: 'analysis',
  name,
  workers: 1,
  freeSlots: 0,
  pending: 0,
  running: 0,
  completed: 0,
  failed: 0,
  waitMsP50: null,
  waitMsP95: null,
  runMsP50: null,
  runMsP95: null,
  ...change,
})

describe('extensions over rooms', () => {
  it('[U63] are one row where they serve every room, and one for each room otherwise', () => {
    const global = { scope: 'global' as const }
    const sums = sumExtensions(
      [listed('a', 'Pi', global), listed('b', 'Pi', global), listed('a', 'Own'), listed('b', 'Own')],
      [figures('a', 'Pi', { ...global, pending: 2 }), figures('b', 'Pi', { ...global, pending: 3 })],
    )
    expect(sums.map(({ name, home, pending }) => [name, home, pending])).toEqual([
      ['Own', 'a', 0],
      ['Own', 'b', 0],
      ['Pi', null, 5],
    ])
  })

  it('[U63] show the times of the room where they were worst', () => {
    const global = { scope: 'global' as const }
    const [sum] = sumExtensions(
      [],
      [
        figures('a', 'Pi', { ...global, waitMsP95: 10, runMsP50: 4 }),
        figures('b', 'Pi', { ...global, waitMsP95: 30 }),
        figures('c', 'Pi', global),
      ],
    )
    expect(sum).toMatchObject({ waitMsP95: 30, runMsP50: 4, runMsP95: null })
    expect(sum?.rooms.map(({ room }) => room)).toEqual(['a', 'b', 'c'])
  })

  it('[U63] stand first where their jobs wait for somebody to act', () => {
    const paused = { by: 'ada', at: 1 }
    const sums = sumExtensions(
      [listed('a', 'Busy'), listed('a', 'Paused', { paused })],
      [figures('a', 'Busy', { pending: 90 }), figures('a', 'Paused', { pending: 1 })],
    )
    expect(sums.map(({ name }) => name)).toEqual(['Paused', 'Busy'])
    expect(sums.map(isStuck)).toEqual([true, false])
  })

  it('[U64] have a share of failures as soon as something has ended', () => {
    expect(failureRate({ completed: 0, failed: 0 })).toBeNull()
    expect(failureRate({ completed: 3, failed: 1 })).toBe(0.25)
  })

  it('[U64] show the worst breaker of theirs', () => {
    const breaker = (state: 'closed' | 'open' | 'half_open' | 'probing') => ({ state, since: 1, until: 2 })
    expect(worseBreaker(breaker('probing'), breaker('open')).state).toBe('open')
    expect(worseBreaker(breaker('half_open'), breaker('closed')).state).toBe('half_open')
  })
})
