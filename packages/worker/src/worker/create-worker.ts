// Puts a worker together: the connection, the pipeline its jobs go through, and where their handlers run.

import type { Beat, RegisteredView, Registration } from '@millrace/protocol'
import { Connection, type ConnectionHooks } from '../connection/connection.ts'
import { ExtensionTable } from '../extension/extension-table.ts'
import type { Executor, OnSettled } from '../job/executor.ts'
import { InProcess } from '../job/in-process.ts'
import type { Voice } from '../job/job-handle.ts'
import { JobPipeline } from '../job/job-pipeline.ts'
import { isRunner } from '../runner/in-runner.ts'
import { runnerOptions } from '../runner/runner-options.ts'
import { RunnerPool } from '../runner/runner-pool.ts'
import { stopOnSignal } from './stop-on-signal.ts'
import { vitals } from './vitals.ts'
import { within } from './within.ts'
import { type WorkerEvents, WorkerListeners } from './worker-events.ts'
import { claimWorkerId, type WorkerId } from './worker-id.ts'
import {
  aheadAtMost,
  aheadPerSlot,
  defaultShutdownTimeoutMs,
  defaultSlots,
  type Logger,
  stderrLogger,
  type WorkerOptions,
} from './worker-options.ts'

export interface Worker {
  /** Null before `start`, unless it was given. */
  readonly id: string | null
  /** Resolves when the server gives it jobs; rejects with `WorkerRefused` when the server never will. */
  start(): Promise<void>
  /** Takes no more jobs, waits for those that run, sees that all is reported, and disconnects. */
  stop(): Promise<void>
  /** Returns how to stop listening. */
  on<Name extends keyof WorkerEvents>(name: Name, listener: (event: WorkerEvents[Name]) => void): () => void
}

/** How long `stop` waits for the last acknowledgements. */
const lastWordsMs = 5_000

/** Makes a worker; nothing happens before its `start`. */
export function createWorker(options: WorkerOptions): Worker {
  return isRunner() ? idleWorker(options) : new ConnectedWorker(options)
}

/** In a runner the module of the extensions is imported for its definitions alone. */
function idleWorker({ id }: WorkerOptions): Worker {
  return {
    id: id ?? null,
    start: async () => undefined,
    stop: async () => undefined,
    on: () => () => undefined,
  }
}

class ConnectedWorker implements Worker {
  readonly #options: WorkerOptions
  readonly #extensions: ExtensionTable
  readonly #listeners = new WorkerListeners()
  readonly #logger: Logger | null
  #lastTrouble = ''
  readonly #pipeline: JobPipeline
  readonly #connection: Connection
  #identity: WorkerId | null
  #started: Promise<void> | null = null
  #stopped: Promise<void> | null = null
  #ignoreSignals: (() => void) | null = null

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#identity = options.id === undefined ? null : { id: options.id, release: () => undefined }
    this.#logger = options.logger === false ? null : (options.logger ?? stderrLogger)
    this.#extensions = new ExtensionTable(options.extensions, options.room)
    this.#pipeline = new JobPipeline({
      extensions: this.#extensions,
      slots: options.slots ?? defaultSlots,
      ahead: aheadOf(options),
      listeners: this.#listeners,
      executor: (voice, onSettled) => executorFor(options, this.#logger, voice, onSettled),
      onUnknown: () => this.#connection.registerAgain(),
    })
    this.#connection = new Connection(options.url, options.token, this.#hooks())
  }

  get id(): string | null {
    return this.#identity?.id ?? null
  }

  on<Name extends keyof WorkerEvents>(name: Name, listener: (event: WorkerEvents[Name]) => void): () => void {
    return this.#listeners.on(name, listener)
  }

  start(): Promise<void> {
    this.#started ??= this.#start()
    return this.#started
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #start(): Promise<void> {
    this.#identity ??= await claimWorkerId(this.#extensions.offers, process.cwd())
    if (this.#options.handleSignals ?? true) this.#ignoreSignals = stopOnSignal(() => this.stop())
    try {
      await this.#pipeline.open()
      await this.#connection.open()
    } catch (error) {
      await this.#pipeline.abandon()
      this.#letGo()
      throw error
    }
  }

  async #stop(): Promise<void> {
    const running = this.#pipeline.attempts.length
    const timeoutMs = this.#options.shutdownTimeoutMs ?? defaultShutdownTimeoutMs
    const jobs = `${running} ${running === 1 ? 'job' : 'jobs'}`
    if (running > 0) this.#logger?.info(`stopping; waits for ${jobs}, at most ${timeoutMs / 1_000} s`)
    await this.#connection.unregister()
    await within(timeoutMs, this.#pipeline.close())
    await this.#pipeline.abandon()
    await within(lastWordsMs, this.#pipeline.post.emptied())
    this.#connection.close()
    this.#pipeline.giveUp()
    this.#letGo()
  }

  #letGo(): void {
    this.#ignoreSignals?.()
    this.#identity?.release()
  }

  #hooks(): ConnectionHooks {
    return {
      registration: () => this.#registration(),
      registered: (view, line, locks) => {
        this.#extensions.registered(view)
        this.#pipeline.drop(view.dropped)
        this.#pipeline.post.open(line)
        this.#pipeline.locks.open(locks)
        this.#tellConnected(view)
      },
      assigned: (jobs) => this.#pipeline.take(jobs),
      cancel: (orders) => this.#pipeline.cancel(orders),
      beat: () => this.#beat(),
      lost: (reason) => {
        this.#pipeline.lineBroke()
        this.#pipeline.locks.close()
        this.#listeners.tell('disconnected', () => ({ reason }))
      },
      trouble: (error) => {
        // It is tried again and again; the same trouble is told once.
        if (error.message !== this.#lastTrouble) this.#logger?.warn(error.message)
        this.#lastTrouble = error.message
        this.#listeners.tell('error', () => error)
      },
    }
  }

  #beat(): Beat {
    const { attempts: running, free } = this.#pipeline
    return (this.#options.vitals ?? true) ? { running, free, vitals: vitals() } : { running, free }
  }

  #registration(): Registration {
    const { slots = defaultSlots, offers, kind = 'client' } = this.#options
    const { labels, ...amounts } = offers ?? {}
    return {
      worker: {
        id: this.#identity?.id ?? '',
        kind,
        offers: { slots, ...amounts, ...(labels && { labels: [...labels] }) },
        ahead: aheadOf(this.#options),
        attempts: this.#pipeline.attempts,
      },
      extensions: [...this.#extensions.offers],
    }
  }

  #tellConnected({ worker, extensions, resumed, dropped }: RegisteredView): void {
    this.#lastTrouble = ''
    const names = extensions.map(({ category, name }) => `${category}/${name}`).join(', ')
    const carriesOn =
      resumed.length > 0 ? `; carries on with ${resumed.length} ${resumed.length === 1 ? 'job' : 'jobs'}` : ''
    this.#logger?.info(`${worker} serves ${names} at ${this.#options.url}${carriesOn}`)
    this.#listeners.tell('connected', () => ({
      worker,
      resumed: resumed.length,
      dropped: dropped.length,
    }))
  }
}

/** A job in a runner takes longer than its way here, so nothing is won by having it early. */
function aheadOf({ slots = defaultSlots, isolation = 'none', ahead }: WorkerOptions): number {
  return isolation === 'none' ? (ahead ?? Math.min(aheadAtMost, slots * aheadPerSlot)) : 0
}

function executorFor(
  options: WorkerOptions,
  logger: Logger | null,
  voice: Voice,
  onSettled: OnSettled,
): Executor {
  if ((options.isolation ?? 'none') === 'none') return new InProcess(voice, onSettled)
  return new RunnerPool(options.extensions, runnerOptions(options, logger), voice, onSettled)
}
