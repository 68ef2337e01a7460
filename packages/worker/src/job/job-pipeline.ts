// A job's way through this worker, step by step: accept → run → outcome → report. It also knows at any time what runs,
// what the server has not yet heard the end of, and how many slots are free.

import type { AssignedJob, AttemptRef, Problem } from '@millrace/protocol'
import type { ExtensionTable } from '../extension/extension-table.ts'
import { LockKeeper } from '../lock/lock-keeper.ts'
import { Post, type Readers } from '../report/post.ts'
import { failedReport, type Report, rejectedReport, startedReport, stoppedReport } from '../report/report.ts'
import type { WorkerListeners } from '../worker/worker-events.ts'
import { JobAborted, WorkerError } from '../worker-error.ts'
import { Attempt } from './attempt.ts'
import { DeadlineTimer } from './deadline-timer.ts'
import { endedJob, unheardJob } from './ended-job.ts'
import type { Executor, OnSettled } from './executor.ts'
import { offeredJob, type Voice } from './job-handle.ts'
import { errorOf, reportOf, type Settled } from './settled.ts'
import { WaitingLine } from './waiting-line.ts'

export interface PipelineOptions {
  readonly extensions: ExtensionTable
  readonly slots: number
  /** Jobs it takes beyond its slots, to begin them as slots come free. */
  readonly ahead: number
  readonly listeners: WorkerListeners
  readonly executor: (voice: Voice, onSettled: OnSettled) => Executor
  /** The server no longer knows this worker: it has to register again. */
  readonly onUnknown: (problem: Problem) => void
}

export type CancelOrder = AttemptRef & { readonly how: 'abort' | 'kill' }

/** So long no job in line has begun: those that run are not as short as the server took them for. */
const lineStandstillMs = 1_000

export class JobPipeline {
  readonly post: Post
  readonly locks: LockKeeper = new LockKeeper()
  readonly #options: PipelineOptions
  readonly #executor: Executor
  readonly #deadlines: DeadlineTimer
  /** Attempts whose handlers have not ended: they hold slots, whoever waits for them. */
  readonly #running = new Set<Attempt>()
  /** Attempts of which the server has not acknowledged the end, by token. */
  readonly #unheard = new Map<string, Attempt>()
  readonly #line = new WaitingLine()
  #lineMovedAt = 0
  #isStarting = false
  #taken = 0
  #closed = false
  #idle: (() => void)[] = []

  constructor(options: PipelineOptions) {
    this.#options = options
    this.post = new Post(this.#readers())
    this.#executor = options.executor(this.#voice(), (attempt, settled) => this.#outcome(attempt, settled))
    this.#deadlines = new DeadlineTimer((now) => this.#actOnDeadlines(now))
  }

  get free(): number {
    return this.#closed ? 0 : Math.max(0, this.#options.slots - this.#taken)
  }

  /** What the server may count on: everything that runs for it or has an end that it has not acknowledged. */
  get attempts(): AttemptRef[] {
    return [...this.#unheard.values()].map(({ ref }) => ref)
  }

  /** Resolves when jobs can be run. */
  open(): Promise<void> {
    return this.#executor.open()
  }

  take(jobs: readonly AssignedJob[]): void {
    const now = performance.now()
    for (const job of jobs) {
      const attempt = this.#accept(job, now)
      if (!attempt) continue
      this.#unheard.set(attempt.ref.token, attempt)
      if (this.#line.size === 0 && attempt.slots <= this.free) this.#run(attempt)
      else this.#wait(attempt, now)
    }
  }

  cancel(orders: readonly CancelOrder[]): void {
    for (const { how, ...ref } of orders) {
      const attempt = this.#unheard.get(ref.token)
      if (!attempt || this.#leaveLine(attempt)) this.post.report(stoppedReport(ref, 'stopped'))
      else if (!attempt.ended) this.#cancel(attempt, how)
    }
  }

  /** Others have these jobs by now, or nobody: nothing is said about them any more. */
  drop(refs: readonly { readonly token: string }[]): void {
    if (refs.length === 0) return
    const tokens = new Set(refs.map(({ token }) => token))
    this.post.drop(tokens)
    for (const token of tokens) {
      const attempt = this.#unheard.get(token)
      this.#unheard.delete(token)
      this.locks.superseded(token)
      if (!attempt || this.#leaveLine(attempt)) continue
      if (attempt.ended) this.#tellUnheard(attempt, attempt.isUnsure ? 'unsure' : 'late')
      else this.#abort(attempt, 'superseded', 'The server gave this job up.')
    }
  }

  /** The line to the server broke. */
  lineBroke(): void {
    this.post.close()
    for (const attempt of this.#unheard.values()) if (attempt.lastWord !== null) attempt.isUnsure = true
  }

  /** Nothing more will be heard of the server. */
  giveUp(): void {
    for (const attempt of this.#unheard.values())
      if (attempt.lastWord !== null) this.#tellUnheard(attempt, 'unsure')
    this.#unheard.clear()
  }

  /** Takes no more jobs; resolves when what runs has ended. */
  close(): Promise<void> {
    this.#closed = true
    this.#sendBack('This worker is stopping.')
    if (this.#running.size === 0) return Promise.resolve()
    return new Promise((resolve) => this.#idle.push(resolve))
  }

  /** Waits no longer: aborts what runs and leaves it to the server, which gives it to another worker. */
  async abandon(): Promise<void> {
    this.#closed = true
    this.#sendBack('This worker is stopping.')
    for (const attempt of this.#running) this.#abort(attempt, 'stopping', 'The worker stops.')
    this.#deadlines.stop()
    await this.#executor.close()
  }

  #accept(job: AssignedJob, now: number): Attempt | null {
    // Assigned again after a reconnect: it runs already.
    if (this.#unheard.has(job.token)) return null
    const extension = this.#options.extensions.for(job)
    if (typeof extension === 'string') return this.#reject(job, extension)
    const slots = extension.policy?.needs?.slots ?? 1
    if (this.#closed) return this.#reject(job, 'This worker is stopping.')
    if (slots > this.free && this.#line.size >= this.#options.ahead)
      return this.#reject(job, 'This worker has no free slot.')
    const reason = refusalOf(job, extension)
    if (reason !== null) return this.#reject(job, reason)
    return new Attempt(job, extension, slots, now + job.runLimitMs)
  }

  #reject({ room, id, token }: AssignedJob, reason: string): null {
    this.post.report(rejectedReport({ room, job: id, token }, reason))
    return null
  }

  #run(attempt: Attempt): void {
    this.#running.add(attempt)
    this.#taken += attempt.slots
    this.post.report(startedReport(attempt.ref))
    this.#deadlines.expect(attempt.dueAt)
    this.#options.listeners.tell('assigned', () => ({ job: offeredJob(attempt.assigned) }))
    attempt.startedAt = performance.now()
    this.#executor.run(attempt)
  }

  #wait(attempt: Attempt, now: number): void {
    if (this.#line.size === 0) this.#lineMovedAt = now
    this.#line.add(attempt)
    this.#deadlines.expect(this.#lineMovedAt + lineStandstillMs)
  }

  /** A handler that ends before it waits brings us here again while the one before is being begun. */
  #startWaiting(): void {
    if (this.#isStarting || this.#line.size === 0) return
    this.#isStarting = true
    for (let next = this.#line.next(this.free); next; next = this.#line.next(this.free)) {
      this.#lineMovedAt = performance.now()
      next.dueAt = this.#lineMovedAt + next.assigned.runLimitMs
      this.#run(next)
    }
    this.#isStarting = false
  }

  #leaveLine(attempt: Attempt): boolean {
    if (!this.#line.remove(attempt)) return false
    attempt.ended = true
    this.#unheard.delete(attempt.ref.token)
    return true
  }

  /** Those in line did not begin, so they can begin elsewhere at once. */
  #sendBack(reason: string): void {
    for (const attempt of this.#line.takeAll()) {
      attempt.ended = true
      this.#unheard.delete(attempt.ref.token)
      this.#reject(attempt.assigned, reason)
    }
  }

  #outcome(attempt: Attempt, settled: Settled): void {
    if (attempt.ended) return
    attempt.ended = true
    attempt.endedAt = performance.now()
    this.locks.ended(attempt.ref.token)
    this.#running.delete(attempt)
    this.#taken -= attempt.slots
    const saidStarted = this.post.saidStarted(attempt.ref.token)
    const report = reportOf(attempt.ref, settled, attempt.aborted, saidStarted)
    const isAwaited = this.#unheard.has(attempt.ref.token)
    if (report !== null && isAwaited) this.#report(attempt, report)
    else this.#tellEnded(attempt)
    this.#startWaiting()
    if (this.#running.size === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }

  #tellEnded(attempt: Attempt): void {
    this.#options.listeners.tell('ended', () => endedJob(attempt))
  }

  #tellUnheard(attempt: Attempt, outcome: 'late' | 'unsure'): void {
    this.#options.listeners.tell('ended', () => unheardJob(attempt, outcome))
  }

  #heard(token: string): void {
    const attempt = this.#unheard.get(token)
    if (!attempt) return
    this.#unheard.delete(token)
    if (attempt.ended) this.#tellEnded(attempt)
  }

  /** The same end again would have been acknowledged, so the server never had it. */
  #gone(token: string): void {
    const attempt = this.#unheard.get(token)
    if (attempt) attempt.isUnsure = false
    this.drop([{ token }])
  }

  #report(attempt: Attempt, report: Report): void {
    attempt.lastWord = report
    this.post.report(report)
    const { room, job: id } = attempt.ref
    if (report.event === 'job:completed') {
      this.#options.listeners.tell('completed', () => ({ id, room, result: report.entry.result }))
    } else if (report.event === 'job:failed') {
      const { error, retryable = true } = report.entry
      this.#options.listeners.tell('failed', () => ({ id, room, error, retryable }))
    }
  }

  #cancel(attempt: Attempt, how: CancelOrder['how']): void {
    if (how === 'abort') this.post.report(stoppedReport(attempt.ref, 'acknowledged'))
    this.#abort(attempt, 'cancelled', 'The job was cancelled.')
    if (how === 'kill' && this.#executor.kill(attempt)) attempt.dueAt = Number.POSITIVE_INFINITY
  }

  /** Asks the handler to stop, and kills it after the grace period where that can be done. */
  #abort(attempt: Attempt, why: JobAborted['why'], message: string): void {
    attempt.abort(new JobAborted(why, message))
    this.#executor.abort(attempt)
    attempt.dueAt = performance.now() + attempt.assigned.cancelGraceMs
    this.#deadlines.expect(attempt.dueAt)
  }

  #kill(attempt: Attempt): void {
    attempt.dueAt = Number.POSITIVE_INFINITY
    if (this.#executor.kill(attempt)) return
    const { category, extension, id } = attempt.assigned
    const message = `Job ${id} (${category}/${extension}) ignores its signal; its slot stays taken until it ends.`
    this.#options.listeners.tell('error', () => new WorkerError(message))
  }

  #actOnDeadlines(now: number): number {
    let next = Number.POSITIVE_INFINITY
    for (const attempt of this.#running) {
      if (attempt.dueAt <= now) this.#actOnDeadline(attempt)
      next = Math.min(next, attempt.dueAt)
    }
    if (this.#line.size === 0) return next
    const standstillAt = this.#lineMovedAt + lineStandstillMs
    if (standstillAt > now) return Math.min(next, standstillAt)
    this.#sendBack('The jobs before it take longer than expected.')
    return next
  }

  #actOnDeadline(attempt: Attempt): void {
    const limit = attempt.assigned.runLimitMs
    if (attempt.aborted) this.#kill(attempt)
    else this.#abort(attempt, 'run_limit', `The job ran longer than its limit of ${limit} ms.`)
  }

  #voice(): Voice {
    return {
      progress: (ref, fraction, message) => this.post.progress(ref, fraction, message),
      log: (ref, text) => this.post.log(ref, text),
      hold: (ref, request, onLost) => this.locks.hold(ref, request, onLost),
    }
  }

  #readers(): Readers {
    return {
      heard: (token) => this.#heard(token),
      gone: (token) => this.#gone(token),
      unacceptable: ({ entry }, { code, detail }) => {
        const error = { message: `The result was refused: ${detail}`, name: code }
        const report = failedReport(entry, error, false)
        const attempt = this.#unheard.get(entry.token)
        if (attempt) attempt.lastWord = report
        this.post.report(report)
      },
      ignored: ({ event, entry }, { code, detail }) => {
        // It was told a moment before the start had been written; the next one will do.
        if (event === 'job:progress') return
        const message = `${event} of job ${entry.job} was refused: ${detail} (${code})`
        this.#options.listeners.tell('error', () => new WorkerError(message))
      },
      unknown: this.#options.onUnknown,
    }
  }
}

/** An extension that cannot even say whether it takes a job does not take it. */
function refusalOf(job: AssignedJob, extension: Attempt['extension']): string | null {
  if (!extension.accept) return null
  try {
    return extension.accept(offeredJob(job))?.reason ?? null
  } catch (error) {
    return `accept() threw: ${errorOf(error).message}`
  }
}
