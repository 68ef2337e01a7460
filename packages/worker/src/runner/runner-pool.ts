// Runs handlers in runners: processes that are started when they are needed, one for each job that runs at the same
// time, and used again for the next. One that ends takes only its own job with it.

import { definitionKey, type Extension } from '../extension/extension.ts'
import type { Attempt } from '../job/attempt.ts'
import type { Executor, OnSettled } from '../job/executor.ts'
import type { Voice } from '../job/job-handle.ts'
import type { Settled } from '../job/settled.ts'
import { within } from '../worker/within.ts'
import { WorkerError } from '../worker-error.ts'
import { hasProcessTable } from './process-table.ts'
import { RunnerGround } from './runner-ground.ts'
import {
  defaultIdleMs,
  defaultSweepMs,
  emptyRunnerMb,
  type RunnerOptions,
  type RunnerUser,
} from './runner-options.ts'
import { RunnerStation } from './runner-station.ts'

interface Opening {
  readonly ready: (extensions: readonly string[]) => void
  readonly failed: (why: string) => void
}

/** Fast enough for a handler that fills memory as fast as it can: a second of that is some gigabytes. */
const memoryLookMs = 200
/** A module that takes longer to import is waiting for something that does not come. */
const openMs = 60_000
const closeMs = 10_000

export class RunnerPool implements Executor {
  readonly #options: RunnerOptions
  readonly #voice: Voice
  readonly #onSettled: OnSettled
  readonly #extensions: readonly Extension[]
  readonly #all = new Set<RunnerStation>()
  /** The one used last is used next, so that those beyond need stay idle and are swept. */
  readonly #idle: RunnerStation[] = []
  readonly #busy = new Map<Attempt, RunnerStation>()
  #standing: RunnerGround | null = null
  #opening: Opening | null = null
  #memoryTimer: NodeJS.Timeout | null = null
  #sweepTimer: NodeJS.Timeout | null = null
  /** Of runners that have ended since the last sweep: what forked while it was ended is found then. */
  #endedMarks: string[] = []

  constructor(extensions: readonly Extension[], options: RunnerOptions, voice: Voice, onSettled: OnSettled) {
    this.#extensions = extensions
    this.#options = options
    this.#voice = voice
    this.#onSettled = onSettled
  }

  /** Starts the first runner, so that a module which cannot be imported is found out before the first job. */
  async open(): Promise<void> {
    const found = await this.#firstOf(this.#options.user ?? null)
    const missing = this.#extensions.filter((extension) => !found.includes(definitionKey(extension)))
    if (missing.length > 0) {
      await this.close()
      const names = missing.map(({ category, name }) => `${category}/${name}`).join(', ')
      throw new WorkerError(
        `${this.#options.module} does not define ${names}: runners import it to run them.`,
      )
    }
    const { user, limitedBy } = this.#ground()
    this.#options.logger?.info(`runners work as ${user ? `user ${user.uid}` : 'this user'}; ${limitedBy}`)
  }

  run(attempt: Attempt): void {
    const station = this.#takeIdle() ?? this.#start()
    this.#busy.set(attempt, station)
    station.run(attempt)
    if (hasProcessTable) this.#memoryTimer ??= setInterval(() => this.#look(), memoryLookMs).unref()
  }

  abort(attempt: Attempt): void {
    if (attempt.aborted) this.#busy.get(attempt)?.runner.abort(attempt.aborted)
  }

  kill(attempt: Attempt): boolean {
    const station = this.#busy.get(attempt)
    station?.runner.kill()
    return station !== undefined
  }

  async close(): Promise<void> {
    if (this.#sweepTimer) clearInterval(this.#sweepTimer)
    this.#sweepTimer = null
    await this.#endAll()
  }

  async #endAll(): Promise<void> {
    const ended = [...this.#all].map(({ runner, gone }) => {
      runner.kill()
      return gone
    })
    await within(closeMs, Promise.all(ended))
    await this.#standing?.close()
    this.#standing = null
  }

  /** What the first runner found in its module. */
  async #firstOf(user: RunnerUser | null): Promise<readonly string[]> {
    try {
      return await this.#first()
    } catch (error) {
      if (user?.optional !== true) throw error
      const why = error instanceof Error ? error.message : String(error)
      this.#options.logger?.warn(
        `RUNNERS HAVE ALL THE RIGHTS OF THIS PROCESS, because one could not work as user ${user.uid}: ${why}`,
      )
      await this.#endAll()
      this.#standing = new RunnerGround(this.#options, null)
      return this.#first()
    }
  }

  #first(): Promise<readonly string[]> {
    let timer: NodeJS.Timeout | undefined
    return new Promise<readonly string[]>((ready, reject) => {
      const failed = (why: string): void => reject(new WorkerError(`The runner ${why}`))
      this.#opening = { ready, failed }
      timer = setTimeout(() => failed(`has not imported its module in ${openMs / 1_000} s.`), openMs)
      this.#idle.push(this.#start())
    }).finally(() => {
      clearTimeout(timer)
      this.#opening = null
    })
  }

  /** Made for the first runner: a worker that is not started leaves no trace. */
  #ground(): RunnerGround {
    this.#standing ??= new RunnerGround(this.#options, this.#options.user ?? null)
    return this.#standing
  }

  #takeIdle(): RunnerStation | undefined {
    let station = this.#idle.pop()
    while (station && !station.runner.isThere) station = this.#idle.pop()
    return station
  }

  #start(): RunnerStation {
    const { sweepMs = defaultSweepMs } = this.#options
    this.#sweepTimer ??= setInterval(() => void this.#sweep(), sweepMs).unref()
    const station = new RunnerStation(this.#ground(), this.#voice, {
      ready: (extensions) => this.#opening?.ready(extensions),
      settled: (each, attempt, settled) => this.#settled(each, attempt, settled),
      gone: (each, attempt, settled, why) => this.#gone(each, attempt, settled, why),
    })
    this.#all.add(station)
    return station
  }

  #settled(station: RunnerStation, attempt: Attempt, settled: Settled): void {
    this.#leave(attempt)
    this.#idle.push(station)
    this.#onSettled(attempt, settled)
  }

  #gone(station: RunnerStation, attempt: Attempt | null, settled: Settled, why: string): void {
    this.#all.delete(station)
    this.#endedMarks.push(station.runner.mark)
    const place = this.#idle.indexOf(station)
    if (place >= 0) this.#idle.splice(place, 1)
    this.#opening?.failed(why)
    if (attempt === null) return
    this.#leave(attempt)
    this.#onSettled(attempt, settled)
  }

  #leave(attempt: Attempt): void {
    this.#busy.delete(attempt)
    if (this.#busy.size > 0 || !this.#memoryTimer) return
    clearInterval(this.#memoryTimer)
    this.#memoryTimer = null
  }

  #look(): void {
    const limitMb = this.#options.memoryMb + emptyRunnerMb
    for (const station of this.#busy.values()) station.holdTo(limitMb)
  }

  /** Ends runners beyond need, and whatever jobs have left behind. */
  async #sweep(): Promise<void> {
    const { idleMs = defaultIdleMs } = this.#options
    const longAgo = performance.now() - idleMs
    for (const station of this.#idle.slice(0, -1)) {
      if (station.idleSince > longAgo) continue
      this.#idle.splice(this.#idle.indexOf(station), 1)
      station.runner.kill()
    }
    for (const mark of this.#endedMarks.splice(0)) await this.#standing?.guard?.sweep(mark)
    for (const station of [...this.#idle]) await this.#sweepIdle(station)
  }

  /** While it is being swept it gets no job, whose processes would be taken for something left behind. */
  async #sweepIdle(station: RunnerStation): Promise<void> {
    const place = this.#idle.indexOf(station)
    if (place < 0) return
    this.#idle.splice(place, 1)
    await station.runner.tidy()
    if (this.#all.has(station)) this.#idle.splice(place, 0, station)
  }
}
