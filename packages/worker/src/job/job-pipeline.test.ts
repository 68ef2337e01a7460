import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Extension } from '../extension/extension.ts'
import { ExtensionTable } from '../extension/extension-table.ts'
import { SampleLine, sampleProblem, turn } from '../report/sample-line.ts'
import { type EndedJob, WorkerListeners } from '../worker/worker-events.ts'
import { JobAborted } from '../worker-error.ts'
import { InProcess } from './in-process.ts'
import type { Job } from './job.ts'
import { JobPipeline } from './job-pipeline.ts'
import { fatal, rejected } from './outcome.ts'
import { sampleAssigned, sampleHash } from './sample-assigned.ts'

/** Handlers that wait until the test ends them, by job. */
class Bench {
  readonly jobs = new Map<
    string,
    { job: Job; end: (value: unknown) => void; break: (error: unknown) => void }
  >()
  readonly line = new SampleLine()
  readonly listeners = new WorkerListeners()
  readonly pipeline: JobPipeline
  readonly told: string[] = []

  constructor(slots: number, change: Partial<Extension> = {}, ahead = 0) {
    const extension: Extension = {
      category: 'modifiers',
      name: 'Relax',
      room: 'lab',
      schema: {},
      run: (job) =>
        new Promise((end, fail) => {
          this.jobs.set(job.id, { job, end, break: fail })
        }),
      ...change,
    }
    const extensions = new ExtensionTable([extension])
    const place = {
      room: 'lab',
      scope: 'room',
      category: 'modifiers',
      name: 'Relax',
      hash: sampleHash,
    } as const
    const rest = { worker: 'w', resumed: [], dropped: [], beatMs: 5_000, leaseMs: 15_000 }
    extensions.registered({ extensions: [place], ...rest })
    this.pipeline = new JobPipeline({
      extensions,
      slots,
      ahead,
      listeners: this.listeners,
      executor: (voice, onSettled) => new InProcess(voice, onSettled),
      onUnknown: () => this.told.push('unknown'),
    })
    this.pipeline.post.open(this.line.line)
    this.listeners.on('error', (error) => this.told.push(error.message))
  }

  async end(id: string, value: unknown): Promise<void> {
    this.jobs.get(id)?.end(value)
    await turn()
  }

  /** Entries of everything said so far, with the event that carried them. */
  get said(): readonly object[] {
    return this.line.said.flatMap(({ event, entries }) =>
      entries.map(({ token: _token, room: _room, ...entry }) => ({ event, ...entry })),
    )
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a job on its way', () => {
  it('[K2] [K3] a job that is done in no time costs one entry of one message', async () => {
    const bench = new Bench(100, { run: async () => undefined })
    bench.pipeline.take(Array.from({ length: 100 }, (_, n) => sampleAssigned(`${n}`)))
    await turn()
    expect(bench.line.said.map(({ event, entries }) => [event, entries.length])).toEqual([
      ['job:completed', 100],
    ])
    expect(bench.pipeline.free).toBe(100)
    bench.line.acknowledge()
    expect(bench.pipeline.attempts).toEqual([])
  })

  it('[K11] is started, run and completed with what its handler returned', async () => {
    const bench = new Bench(1)
    bench.pipeline.take([sampleAssigned('a', { charged: 2 })])
    await turn()
    expect(bench.jobs.get('a')?.job).toMatchObject({
      id: 'a',
      room: 'lab',
      data: { steps: 10 },
      submitter: 'ann',
      attempt: 3,
    })
    bench.line.acknowledge()
    await bench.end('a', { energy: -1 })
    expect(bench.said).toEqual([{ event: 'job:completed', job: 'a', result: { energy: -1 } }])
  })

  it('[K11] a handler that throws before it waits fails retryably', async () => {
    const run = (): never => {
      throw new TypeError('broken')
    }
    const bench = new Bench(1, { run })
    bench.pipeline.take([sampleAssigned('a')])
    await turn()
    expect(bench.said).toMatchObject([
      {
        event: 'job:failed',
        started: true,
        retryable: true,
        error: { name: 'TypeError', message: 'broken' },
      },
    ])
  })

  it('[K11] a handler that settles twice has ended once', async () => {
    const twice: PromiseLike<string> = {
      // biome-ignore lint/suspicious/noThenProperty: a promise of another library, and a broken one
      then: (done) => {
        done?.('first')
        done?.('second')
        return twice as never
      },
    }
    const bench = new Bench(1, { run: () => twice as Promise<string> })
    bench.pipeline.take([sampleAssigned('a')])
    await turn()
    expect(bench.said).toMatchObject([{ event: 'job:completed', result: 'first' }])
    expect(bench.pipeline.free).toBe(1)
  })

  it.each([
    ['an extension it does not serve', { extension: 'Other' }, /does not serve modifiers\/Other/],
    ['a room it does not serve', { room: 'other' }, /does not serve/],
    ['another schema', { schemaHash: 'other' }, /another schema/],
  ])('[K10] a job for %s is rejected with the reason', async (_what, change, reason) => {
    const bench = new Bench(1)
    bench.pipeline.take([sampleAssigned('a', change)])
    await turn()
    expect(bench.said).toEqual([{ event: 'job:rejected', job: 'a', reason: expect.stringMatching(reason) }])
    expect(bench.pipeline.free).toBe(1)
  })

  it('[K10] a job without a free slot is rejected', async () => {
    const bench = new Bench(3, { policy: { needs: { slots: 2 } } })
    bench.pipeline.take([sampleAssigned('a'), sampleAssigned('b')])
    await turn()
    expect(bench.line.events).toEqual(['job:started a', 'job:rejected b'])
    expect(bench.pipeline.free).toBe(1)
  })

  it('[K10] an extension can reject a job before it starts; one that throws does', async () => {
    const picky = new Bench(1, { accept: ({ id }) => (id === 'a' ? rejected('the GPU is warm') : undefined) })
    picky.pipeline.take([sampleAssigned('a'), sampleAssigned('b')])
    await turn()
    expect(picky.said).toEqual([
      { event: 'job:started', job: 'b' },
      { event: 'job:rejected', job: 'a', reason: 'the GPU is warm' },
    ])
    const broken = new Bench(1, {
      accept: () => {
        throw new Error('no driver')
      },
    })
    broken.pipeline.take([sampleAssigned('a')])
    await turn()
    expect(broken.said).toMatchObject([{ event: 'job:rejected', reason: 'accept() threw: no driver' }])
  })

  it('[K16] a job that is assigned again while it runs is not run twice', async () => {
    const bench = new Bench(2)
    bench.pipeline.take([sampleAssigned('a')])
    bench.pipeline.take([sampleAssigned('a')])
    await turn()
    expect(bench.line.events).toEqual(['job:started a'])
    expect(bench.pipeline.free).toBe(1)
  })

  it('[K16] the server may count on what runs and on what has an end it did not acknowledge', async () => {
    const bench = new Bench(2)
    bench.pipeline.take([sampleAssigned('a'), sampleAssigned('b')])
    await turn()
    bench.line.acknowledge()
    await bench.end('a', 1)
    expect(bench.pipeline.attempts.map(({ job }) => job)).toEqual(['a', 'b'])
    expect(bench.pipeline.free).toBe(1)
    bench.line.acknowledge()
    expect(bench.pipeline.attempts).toEqual([{ room: 'lab', job: 'b', token: 'token of b' }])
  })

  it('[K32] every job that was run is told of with its outcome and how long it took', async () => {
    const bench = new Bench(5)
    const told: EndedJob[] = []
    bench.listeners.on('ended', (job) => told.push(job))
    const ids = ['done', 'broken', 'cancelled', 'given', 'picky']
    bench.pipeline.take(ids.map((id) => sampleAssigned(id)))
    bench.pipeline.cancel([{ room: 'lab', job: 'cancelled', token: 'token of cancelled', how: 'abort' }])
    bench.pipeline.drop([{ token: 'token of given' }])
    vi.advanceTimersByTime(700)
    await bench.end('done', 1)
    bench.jobs.get('broken')?.break(new TypeError('no mass'))
    bench.jobs.get('cancelled')?.break(new Error('stopped'))
    await bench.end('given', 2)
    await bench.end('picky', fatal('never'))
    bench.line.acknowledge()
    const job = { room: 'lab', category: 'modifiers', extension: 'Relax', runMs: 700 }
    const byId = (one: EndedJob, other: EndedJob): number => ids.indexOf(one.id) - ids.indexOf(other.id)
    expect(told.sort(byId)).toEqual([
      { ...job, id: 'done', outcome: 'completed' },
      {
        ...job,
        id: 'broken',
        outcome: 'failed',
        retryable: true,
        error: { name: 'TypeError', message: 'no mass', stack: expect.any(String) },
      },
      { ...job, id: 'cancelled', outcome: 'cancelled' },
      { ...job, id: 'given', outcome: 'left' },
      { ...job, id: 'picky', outcome: 'failed', retryable: false, error: { message: 'never' } },
    ])
  })

  it.each<[string, (bench: Bench) => void, string]>([
    [
      'was refused because another has the job',
      ({ line }) => {
        const problem = sampleProblem('attempt_superseded', 409)
        for (const { answer } of line.said.splice(0)) answer({ ok: true, answers: [{ problem }] })
      },
      'late',
    ],
    ['is not wanted any more', ({ pipeline }) => pipeline.drop([{ token: 'token of a' }]), 'late'],
    [
      'was said on a line that broke, and is not wanted any more',
      ({ pipeline }) => {
        pipeline.lineBroke()
        pipeline.drop([{ token: 'token of a' }])
      },
      'unsure',
    ],
    ['was never answered', ({ pipeline }) => pipeline.giveUp(), 'unsure'],
  ])('[K33] a completion that %s is not told as one', async (_how, then, outcome) => {
    const bench = new Bench(1)
    const told: string[] = []
    bench.listeners.on('ended', (job) => told.push(job.outcome))
    bench.pipeline.take([sampleAssigned('a')])
    await turn()
    bench.line.acknowledge()
    await bench.end('a', 1)
    expect(told).toEqual([])
    then(bench)
    expect(told).toEqual([outcome])
  })

  it('[K12] a result that the server refuses becomes a fatal failure', async () => {
    const bench = new Bench(1, { run: () => 'much' })
    bench.pipeline.take([sampleAssigned('a')])
    await turn()
    const problem = sampleProblem('json_too_large', 413)
    bench.line.said.splice(0)[0]?.answer({ ok: true, answers: [{ problem }] })
    await turn()
    expect(bench.said).toMatchObject([
      {
        event: 'job:failed',
        retryable: false,
        error: { message: 'The result was refused: It is json_too_large.' },
      },
    ])
    bench.line.acknowledge()
    expect(bench.pipeline.attempts).toEqual([])
  })
})

describe('stopping a job', () => {
  const order = { room: 'lab', job: 'a', token: 'token of a' }

  it('[K14] a cancel is acknowledged, the signal aborted, and the end of the handler reported', async () => {
    const bench = new Bench(1)
    bench.pipeline.take([sampleAssigned('a')])
    await turn()
    bench.line.acknowledge()
    bench.pipeline.cancel([{ ...order, how: 'abort' }])
    await turn()
    expect(bench.said).toEqual([{ event: 'job:stopped', job: 'a', stage: 'acknowledged' }])
    const { job, break: fail } = bench.jobs.get('a')!
    expect(job.signal.reason).toBeInstanceOf(JobAborted)
    expect(job.signal.reason).toMatchObject({ why: 'cancelled' })
    fail(job.signal.reason)
    await turn()
    expect(bench.said.at(-1)).toEqual({ event: 'job:stopped', job: 'a', stage: 'stopped' })
    expect(bench.pipeline.free).toBe(1)
  })

  it('[K14] a result that comes in spite of a cancel is reported', async () => {
    const bench = new Bench(1)
    bench.pipeline.take([sampleAssigned('a')])
    bench.pipeline.cancel([{ ...order, how: 'abort' }])
    await bench.end('a', 1)
    expect(bench.said.at(-1)).toMatchObject({ event: 'job:completed', result: 1 })
  })

  it('[K15] a cancel of an attempt it does not have is answered as stopped', async () => {
    const bench = new Bench(1)
    bench.pipeline.cancel([{ ...order, how: 'abort' }])
    await turn()
    expect(bench.said).toEqual([{ event: 'job:stopped', job: 'a', stage: 'stopped' }])
  })

  it('[K15] a cancel of a job whose end is under way changes nothing', async () => {
    const bench = new Bench(1)
    bench.pipeline.take([sampleAssigned('a')])
    await bench.end('a', 1)
    bench.pipeline.cancel([{ ...order, how: 'kill' }])
    await turn()
    expect(bench.line.events).toEqual(['job:completed a'])
  })

  it('[K13] the signal is aborted when the run limit is over, and the failure names it', async () => {
    const bench = new Bench(2)
    bench.pipeline.take([sampleAssigned('a', { runLimitMs: 1_000 }), sampleAssigned('b')])
    const { job, break: fail } = bench.jobs.get('a')!
    vi.advanceTimersByTime(999)
    expect(job.signal.aborted).toBe(false)
    vi.advanceTimersByTime(2)
    expect(job.signal.reason).toMatchObject({ why: 'run_limit' })
    expect(bench.jobs.get('b')?.job.signal.aborted).toBe(false)
    fail(job.signal.reason)
    await turn()
    expect(bench.said.at(-1)).toMatchObject({
      event: 'job:failed',
      retryable: true,
      error: { name: 'RunLimitExceeded', message: 'The job ran longer than its limit of 1000 ms.' },
    })
  })

  it('[K13] a run limit longer than the longest timer is kept', () => {
    const bench = new Bench(1)
    const days = 24 * 3_600_000
    bench.pipeline.take([sampleAssigned('a', { runLimitMs: 30 * days })])
    const { signal } = bench.jobs.get('a')!.job
    vi.advanceTimersByTime(29 * days)
    expect(signal.aborted).toBe(false)
    vi.advanceTimersByTime(1 * days + 1)
    expect(signal.aborted).toBe(true)
  })

  it('[K17] a handler that ignores its signal keeps its slot, and that is said once', async () => {
    const bench = new Bench(1)
    bench.pipeline.take([sampleAssigned('a', { runLimitMs: 1_000, cancelGraceMs: 500 })])
    vi.advanceTimersByTime(60_000)
    expect(bench.told).toEqual([expect.stringContaining('ignores its signal')])
    expect(bench.pipeline.free).toBe(0)
    await bench.end('a', 1)
    expect(bench.pipeline.free).toBe(1)
  })

  it('[K6] an attempt that the server gave away is aborted, and nothing is said about it', async () => {
    const bench = new Bench(1)
    bench.pipeline.take([sampleAssigned('a')])
    await turn()
    bench.line.said.splice(0)[0]?.answer({
      ok: true,
      answers: [{ problem: sampleProblem('attempt_superseded', 409) }],
    })
    const { job, break: fail } = bench.jobs.get('a')!
    expect(job.signal.reason).toMatchObject({ why: 'superseded' })
    expect(bench.pipeline.attempts).toEqual([])
    expect(bench.pipeline.free).toBe(0)
    job.log('still here')
    fail(job.signal.reason)
    await turn()
    vi.advanceTimersByTime(200)
    await turn()
    expect(bench.said).toEqual([])
    expect(bench.pipeline.free).toBe(1)
  })

  it('[K18] a pipeline that closes takes no more jobs and waits for those that run', async () => {
    const bench = new Bench(2)
    bench.pipeline.take([sampleAssigned('a')])
    let closed = false
    const closing = bench.pipeline.close().then(() => {
      closed = true
    })
    bench.pipeline.take([sampleAssigned('b')])
    await turn()
    expect(bench.said).toContainEqual({ event: 'job:rejected', job: 'b', reason: 'This worker is stopping.' })
    expect(bench.pipeline.free).toBe(0)
    expect(closed).toBe(false)
    await bench.end('a', 1)
    await closing
    expect(bench.said.at(-1)).toMatchObject({ event: 'job:completed', job: 'a' })
  })

  it('[K18] what still runs when the wait is over is aborted and left to the server', async () => {
    const bench = new Bench(1)
    bench.pipeline.take([sampleAssigned('a')])
    await turn()
    bench.line.acknowledge()
    await bench.pipeline.abandon()
    const { job, break: fail } = bench.jobs.get('a')!
    expect(job.signal.reason).toMatchObject({ why: 'stopping' })
    fail(job.signal.reason)
    await turn()
    expect(bench.said).toEqual([])
  })
})

describe('what a handler is given', () => {
  it('[K5] can be taken apart, and what is said after the end is not told', async () => {
    const bench = new Bench(1, {
      run: async ({ progress, log, signal }) => {
        progress(0.5, 'half')
        log('hello')
        return signal.aborted
      },
    })
    bench.pipeline.take([sampleAssigned('a')])
    await turn()
    expect(bench.said).toEqual([
      { event: 'job:started', job: 'a' },
      { event: 'job:log', job: 'a', lines: ['hello'], first: 0 },
    ])
    bench.line.acknowledge()
    await turn()
    expect(bench.said).toEqual([{ event: 'job:completed', job: 'a', started: true, result: false }])

    const late: Job['log'][] = []
    const other = new Bench(1, { run: ({ log }) => late.push(log) })
    other.pipeline.take([sampleAssigned('a')])
    for (const log of late) log('too late')
    vi.advanceTimersByTime(200)
    await turn()
    expect(other.line.events).toEqual(['job:completed a'])
  })

  it('[K5] a progress outside 0 to 1 is moved inside, one that is no number is not told', async () => {
    const bench = new Bench(1)
    bench.pipeline.take([sampleAssigned('a')])
    const { progress } = bench.jobs.get('a')!.job
    progress(7)
    progress(Number.NaN)
    vi.advanceTimersByTime(100)
    await turn()
    expect(bench.said.at(-1)).toEqual({ event: 'job:progress', job: 'a', fraction: 1 })
  })
})

describe('jobs beyond the slots', () => {
  it('[K60] wait for a slot and begin the moment one comes free, without a word to the server in between', async () => {
    const bench = new Bench(1, {}, 2)
    bench.pipeline.take(['a', 'b', 'c'].map((id) => sampleAssigned(id)))
    await turn()
    expect([...bench.jobs.keys()]).toEqual(['a'])
    expect(bench.pipeline.attempts.map(({ job }) => job)).toEqual(['a', 'b', 'c'])
    await bench.end('a', 1)
    expect([...bench.jobs.keys()]).toEqual(['a', 'b'])
    expect(bench.said.map((one) => ({ ...one }))).toMatchObject([
      { event: 'job:started', job: 'a' },
      { event: 'job:started', job: 'b' },
      { event: 'job:completed', job: 'a' },
    ])
  })

  it('[K60] are refused when there are more than it said it takes', async () => {
    const bench = new Bench(1, {}, 1)
    bench.pipeline.take(['a', 'b', 'c'].map((id) => sampleAssigned(id)))
    await turn()
    expect(bench.said).toMatchObject([{ event: 'job:started' }, { event: 'job:rejected', job: 'c' }])
  })

  it('[K60] handlers that end at once do not climb on each other', async () => {
    let deepest = 0
    let depth = 0
    const run = (): void => {
      depth += 1
      deepest = Math.max(deepest, depth)
      depth -= 1
    }
    const held: ((value: unknown) => void)[] = []
    const bench = new Bench(
      1,
      { run: (job) => (job.id === 'first' ? new Promise((end) => held.push(end)) : run()) },
      5_000,
    )
    bench.pipeline.take([
      sampleAssigned('first'),
      ...Array.from({ length: 5_000 }, (_, n) => sampleAssigned(`${n}`)),
    ])
    held[0]?.(null)
    await turn()
    expect(deepest).toBe(1)
    expect(bench.said.filter((one) => 'event' in one && one.event === 'job:completed')).toHaveLength(5_001)
  })

  it('[K62] that were cancelled or given to others never begin', async () => {
    const bench = new Bench(1, {}, 3)
    bench.pipeline.take(['a', 'b', 'c', 'd'].map((id) => sampleAssigned(id)))
    bench.pipeline.cancel([{ room: 'lab', job: 'b', token: 'token of b', how: 'abort' }])
    bench.pipeline.drop([{ token: 'token of c' }])
    await bench.end('a', 1)
    expect([...bench.jobs.keys()]).toEqual(['a', 'd'])
    expect(bench.said).toContainEqual({ event: 'job:stopped', job: 'b', stage: 'stopped' })
    expect(bench.pipeline.attempts.map(({ job }) => job)).toEqual(['a', 'd'])
  })

  it('[K63] go back to the server when the one before them turns out to be slow, or the worker stops', async () => {
    const bench = new Bench(1, {}, 3)
    bench.pipeline.take(['a', 'b'].map((id) => sampleAssigned(id)))
    await vi.advanceTimersByTimeAsync(1_001)
    await turn()
    expect(bench.said).toContainEqual({
      event: 'job:rejected',
      job: 'b',
      reason: 'The jobs before it take longer than expected.',
    })
    bench.pipeline.take([sampleAssigned('c')])
    void bench.pipeline.close()
    await turn()
    expect(bench.said).toContainEqual({ event: 'job:rejected', job: 'c', reason: 'This worker is stopping.' })
    await bench.end('a', 1)
    expect([...bench.jobs.keys()]).toEqual(['a'])
  })
})
