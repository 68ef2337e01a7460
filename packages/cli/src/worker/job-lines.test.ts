import type { EndedJob } from '@millrace/worker'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { JobLines } from './job-lines.ts'

const job: EndedJob = {
  id: '0197a1b2-c3d4-7000-8000-00003fa9c01b',
  room: 'lab',
  category: 'modifiers',
  extension: 'Relax',
  outcome: 'completed',
  runMs: 480,
}

let said: string[]
let lines: JobLines

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  said = []
  lines = new JobLines(
    (line) => said.push(line),
    (_style, text) => text,
  )
})
afterEach(() => {
  vi.useRealTimers()
})

describe("the lines of a worker's jobs", () => {
  it.each<[string, Partial<EndedJob>, string]>([
    ['completed', {}, 'completed in 480 ms'],
    ['failed', { outcome: 'failed', error: { message: 'no mass' } }, 'failed after 480 ms: no mass'],
    [
      'failed for good',
      { outcome: 'failed', retryable: false, error: { message: 'no mass' } },
      'failed after 480 ms, for good: no mass',
    ],
    ['cancelled', { outcome: 'cancelled' }, 'cancelled after 480 ms'],
    ['left', { outcome: 'left' }, 'left to another worker after 480 ms'],
    [
      'late',
      { outcome: 'late' },
      'ended too late, after 480 ms: the server had taken it back, for another to run',
    ],
    [
      'not answered',
      { outcome: 'unsure' },
      'ended after 480 ms: the connection broke before the server answered; `jobs get` shows what became of it',
    ],
  ])('[N92] a job that was %s is one line', (_what, change, end) => {
    lines.add({ ...job, ...change })
    expect(said).toEqual([`3fa9c01b  modifiers/Relax  ${end}`])
  })

  it('[N92] of an error only the beginning of its first line is shown, and nothing that moves a cursor', () => {
    lines.add({ ...job, outcome: 'failed', error: { message: `\u001b[2J${'x'.repeat(500)}\nmore` } })
    expect(said[0]).toMatch(/: x{190,200}…$/)
  })

  it('[N92] under load the first of each second are shown, and the rest counted', () => {
    for (let n = 0; n < 1_210; n++) lines.add({ ...job, outcome: n < 1_206 ? 'completed' : 'failed' })
    expect(said).toHaveLength(10)
    vi.advanceTimersByTime(1_000)
    expect(said.slice(10)).toEqual(['… 1,200 more: 1,196 completed, 4 failed'])
    lines.add(job)
    vi.advanceTimersByTime(1_000)
    expect(said).toHaveLength(12)
  })

  it('[N92] what was only counted is said at the end', () => {
    for (let n = 0; n < 12; n++) lines.add(job)
    lines.flush()
    lines.flush()
    expect(said.slice(10)).toEqual(['… 2 more: 2 completed'])
  })
})
