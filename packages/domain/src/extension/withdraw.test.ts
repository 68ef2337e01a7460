import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SchemaHash, WorkerId } from '../ids.ts'
import { isRefusal } from '../refusal.ts'
import { type Extension, liveWorkers, type PinnedJobs, versionOf, waitingFor } from './extension.ts'
import { registerExtension } from './register.ts'
import { accepted, hash, quiet, registration, serving, someone } from './sample-extension.ts'
import { settleExtension, withdrawWorker } from './withdraw.ts'

const max = someone('max')
const [w1, w2] = ['w1' as WorkerId, 'w2' as WorkerId]
const nothing: PinnedJobs = new Map()
const pinned = (...titles: string[]): PinnedJobs => new Map(titles.map((title) => [hash(title), 2]))

const alone = accepted(registerExtension(null, registration('one', 'w1'), max, quiet, 0)).next
const together = accepted(registerExtension(alone, registration('one', 'w2'), max, quiet, 0)).next

describe('an extension whose workers leave', () => {
  it('[E27] stays as long as one is left, and nothing is announced', () => {
    const { next, invalidates } = withdrawWorker(together, w1, nothing)
    expect(serving(next as Extension)).toEqual({ one: ['w2'] })
    expect(invalidates).toBe(false)
  })

  it('[E27] goes with the last one when no job is pinned to it', () => {
    expect(withdrawWorker(alone, w1, nothing)).toEqual({ next: null, invalidates: true })
  })

  it('[E27] is not touched by the leaving of a worker that does not serve it', () => {
    expect(withdrawWorker(alone, w2, nothing)).toEqual({ next: alone, invalidates: false })
  })

  it('[E28] stays while jobs are pinned to it and says which hash it waits for', () => {
    const { next, invalidates } = withdrawWorker(alone, w1, pinned('one'))
    expect(invalidates).toBe(true)
    expect(waitingFor(next as Extension, pinned('one'))).toEqual([hash('one')])
    expect(waitingFor(next as Extension, nothing)).toEqual([])
    expect(waitingFor(alone, pinned('one'))).toEqual([])
  })

  it('[E28] goes when the last of those jobs has ended', () => {
    const waiting = withdrawWorker(alone, w1, pinned('one')).next as Extension
    expect(settleExtension(waiting, pinned('one'))).toBe(waiting)
    expect(settleExtension(waiting, nothing)).toBeNull()
  })

  it('[E15] drops an old version when its last job has ended and no worker serves it', () => {
    const surroundings = { ...quiet, pinned: pinned('one') }
    const upgraded = accepted(registerExtension(alone, registration('two', 'w1'), max, surroundings, 0)).next
    expect(waitingFor(upgraded, pinned('one', 'two'))).toEqual([hash('one')])
    expect(serving(settleExtension(upgraded, nothing) as Extension)).toEqual({ two: ['w1'] })
  })

  it('[E29] stays listed without workers when it is a built-in one', () => {
    const id = { scope: 'builtin', category: 'modifiers', name: 'Relax' } as const
    const surroundings = { ...quiet, builtins: [id] }
    const root = someone('root', 'admin')
    const builtin = accepted(
      registerExtension(null, registration('one', 'w1', { id, home: null }), root, surroundings, 0),
    ).next
    const { next, invalidates } = withdrawWorker(builtin, w1, nothing)
    expect(serving(next as Extension)).toEqual({ one: [] })
    expect(invalidates).toBe(true)
  })
})

describe('every history of an extension', () => {
  const titles = ['one', 'two', 'three'] as const
  const step = fc.record({
    worker: fc.constantFrom('w1', 'w2', 'w3'),
    title: fc.constantFrom(...titles, null),
    pinned: fc.subarray([...titles]),
  })

  it('[E17] every worker serves one version at most, every hash has one version, and the current one exists', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let extension: Extension | null = null
        for (const { worker, title, pinned: kept } of steps) {
          const jobs = pinned(...kept)
          extension = title === null ? leave(extension, worker, jobs) : enter(extension, title, worker, jobs)
          if (extension === null) continue
          const workers = liveWorkers(extension)
          expect(new Set(workers).size).toBe(workers.length)
          expect(versionOf(extension, extension.current)).toBeDefined()
          const hashes = extension.versions.map((version): SchemaHash => version.hash)
          expect(new Set(hashes).size).toBe(hashes.length)
        }
      }),
      { seed: 81, numRuns: 500 },
    )
  })

  it('[E14] the current version changes only when none of its workers is left but the one that registers', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let extension: Extension | null = null
        for (const { worker, title, pinned: kept } of steps) {
          const jobs = pinned(...kept)
          const before: Extension | null = extension
          extension = title === null ? leave(extension, worker, jobs) : enter(extension, title, worker, jobs)
          if (before === null || extension === null || before.current === extension.current) continue
          const holders = versionOf(before, before.current)?.workers ?? []
          expect(holders.filter((holder) => holder !== worker)).toEqual([])
        }
      }),
      { seed: 82, numRuns: 500 },
    )
  })

  function enter(
    extension: Extension | null,
    title: string,
    worker: string,
    jobs: PinnedJobs,
  ): Extension | null {
    const answer = registerExtension(
      extension,
      registration(title, worker),
      max,
      { ...quiet, pinned: jobs },
      0,
    )
    return isRefusal(answer) ? extension : answer.next
  }

  function leave(extension: Extension | null, worker: string, jobs: PinnedJobs): Extension | null {
    return extension === null ? null : withdrawWorker(extension, worker as WorkerId, jobs).next
  }
})
