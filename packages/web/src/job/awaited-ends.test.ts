import { describe, expect, it } from 'vitest'
import { AwaitedEnds } from './awaited-ends.ts'
import type { JobRow } from './job-row.ts'

type Status = JobRow['status']

const pi = { room: 'lab', extension: 'Pi' }

/** A tab, as far as ends are concerned: what it was told, which rooms it watches, what it keeps over a reload. */
class Tab {
  readonly told: [string, Status][] = []
  readonly watched: string[] = []
  readonly server: Map<string, Status>
  readonly ends: AwaitedEnds
  kept: string | null

  constructor(server: Map<string, Status> = new Map(), kept: string | null = null) {
    this.server = server
    this.kept = kept
    this.ends = new AwaitedEnds({
      statusOf: async (_, id) => this.server.get(id) ?? null,
      tell: (id, _, status) => this.told.push([id, status]),
      kept: {
        read: () => this.kept,
        write: (text) => {
          this.kept = text
        },
      },
    })
    this.ends.watchWith((room) => {
      this.watched.push(room)
      return () => void this.watched.splice(this.watched.indexOf(room), 1)
    })
  }

  reloaded(): Tab {
    return new Tab(this.server, this.kept)
  }
}

describe('the end of a job that was submitted here', () => {
  it('[U113] is waited for in its room until the last of the room has ended', () => {
    const tab = new Tab()
    tab.ends.expect('a', pi)
    tab.ends.expect('b', pi)
    expect(tab.watched).toEqual(['lab'])
    tab.ends.hear([{ id: 'a', status: 'running' }])
    tab.ends.hear([{ id: 'a', status: 'completed' }])
    tab.ends.hear([{ id: 'x', status: 'failed' }])
    expect(tab.watched).toEqual(['lab'])
    tab.ends.hear([{ id: 'b', status: 'failed' }])
    expect(tab.watched).toEqual([])
    expect(tab.told).toEqual([
      ['a', 'completed'],
      ['b', 'failed'],
    ])
  })

  it('[U113] is told when it came before the answer to its submit', () => {
    const tab = new Tab()
    tab.ends.hear([{ id: 'a', status: 'completed' }])
    tab.ends.expect('a', pi)
    expect(tab.told).toEqual([['a', 'completed']])
    expect(tab.watched).toEqual([])
  })

  it('[U113] is asked for after a gap, told once, and forgotten with a job that is gone', async () => {
    const tab = new Tab(
      new Map<string, Status>([
        ['a', 'completed'],
        ['b', 'running'],
        ['d', 'completed'],
      ]),
    )
    for (const id of ['a', 'b', 'c']) tab.ends.expect(id, pi)
    tab.ends.expect('d', { room: 'annex', extension: 'Pi' })
    await tab.ends.missed('lab')
    tab.ends.hear([{ id: 'a', status: 'completed' }])
    expect(tab.told).toEqual([['a', 'completed']])
    expect(JSON.parse(tab.kept ?? '').map(([id]: [string]) => id)).toEqual(['b', 'd'])
  })

  it('[U113] is still waited for after a reload and by another connection, and not by another user', () => {
    const tab = new Tab()
    tab.ends.expect('a', pi)
    const next = tab.reloaded()
    expect(next.watched).toEqual(['lab'])
    const again: string[] = []
    next.ends.watchWith((room) => {
      again.push(room)
      return () => undefined
    })
    expect([next.watched, again]).toEqual([[], ['lab']])
    next.ends.hear([{ id: 'a', status: 'completed' }])
    expect(next.told).toEqual([['a', 'completed']])
    expect(next.reloaded().watched).toEqual([])
    tab.ends.forget()
    expect(tab.watched).toEqual([])
    expect(tab.reloaded().watched).toEqual([])
  })

  it('[U113] that the server cannot tell is asked for again after the next gap', async () => {
    const tab = new Tab()
    const asked: string[] = []
    const deaf = new AwaitedEnds({
      statusOf: async (_, id) => {
        asked.push(id)
        throw new Error('nobody answers')
      },
      tell: () => undefined,
      kept: { read: () => tab.kept, write: () => undefined },
    })
    deaf.expect('a', pi)
    await deaf.missed('lab')
    await deaf.missed('lab')
    expect(asked).toEqual(['a', 'a'])
  })
})
