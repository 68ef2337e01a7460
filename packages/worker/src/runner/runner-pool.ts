// Runs handlers in runners: processes that are started when they are needed, one for each job that runs at the same
// time, and used again for the next. One that ends takes only its own job with it.

import { definitionKey, type Extension } from '../extension/extension.ts'
import type { Attempt } from '../job/attempt.ts'
import type { Executor, OnSettled } from '../job/executor.ts'
import type { Voice } from '../job/job-handle.ts'
import { WorkerError } from '../worker-error.ts'
import { Runner, type RunnerOptions } from './runner.ts'
import { type FromRunner, settledOf } from './runner-message.ts'

/** A runner and what it does. */
interface Station {
  readonly runner: Runner
  attempt: Attempt | null
  /** Why the module could not be imported. */
  unable: string | null
}

export class RunnerPool implements Executor {
  readonly #options: RunnerOptions
  readonly #voice: Voice
  readonly #onSettled: OnSettled
  readonly #all = new Set<Station>()
  readonly #idle: Station[] = []
  readonly #busy = new Map<Attempt, Station>()
  #opening: {
    readonly ready: (extensions: readonly string[]) => void
    readonly failed: (why: string) => void
  } | null = null

  readonly #extensions: readonly Extension[]

  constructor(extensions: readonly Extension[], options: RunnerOptions, voice: Voice, onSettled: OnSettled) {
    this.#extensions = extensions
    this.#options = options
    this.#voice = voice
    this.#onSettled = onSettled
  }

  /** Starts the first runner, so that a module which cannot be imported is found out before the first job. */
  async open(): Promise<void> {
    const found = await new Promise<readonly string[]>((resolve, reject) => {
      const failed = (why: string): void => reject(new WorkerError(`The runner ${why}`))
      this.#opening = { ready: resolve, failed }
      this.#idle.push(this.#start())
    }).finally(() => {
      this.#opening = null
    })
    const missing = this.#extensions.filter((extension) => !found.includes(definitionKey(extension)))
    if (missing.length === 0) return
    await this.close()
    const names = missing.map(({ category, name }) => `${category}/${name}`).join(', ')
    throw new WorkerError(`${this.#options.module} does not define ${names}: runners import it to run them.`)
  }

  run(attempt: Attempt): void {
    const station = this.#idle.pop() ?? this.#start()
    station.attempt = attempt
    this.#busy.set(attempt, station)
    station.runner.run(definitionKey(attempt.extension), attempt.assigned)
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
    for (const { runner } of this.#all) runner.kill()
  }

  #start(): Station {
    const station: Station = {
      attempt: null,
      unable: null,
      runner: new Runner(this.#options, {
        heard: (message) => this.#hear(station, message),
        exited: (how) => this.#exited(station, how),
      }),
    }
    this.#all.add(station)
    return station
  }

  #hear(station: Station, message: FromRunner): void {
    const { attempt } = station
    if (message.type === 'ready') this.#opening?.ready(message.extensions)
    else if (message.type === 'unable') station.unable = message.message
    else if (attempt && message.type === 'progress') {
      this.#voice.progress(attempt.ref, message.fraction, message.message)
    } else if (attempt && message.type === 'log') this.#voice.log(attempt.ref, message.text)
    else if (attempt && message.type === 'settled') {
      this.#busy.delete(attempt)
      station.attempt = null
      this.#idle.push(station)
      this.#onSettled(attempt, settledOf(message.end))
    }
  }

  #exited(station: Station, how: string): void {
    this.#all.delete(station)
    const place = this.#idle.indexOf(station)
    if (place >= 0) this.#idle.splice(place, 1)
    const { attempt, runner, unable } = station
    const why = unable === null ? `${how}.` : `could not import ${this.#options.module}: ${unable}`
    this.#opening?.failed(why)
    if (attempt === null) return
    this.#busy.delete(attempt)
    this.#onSettled(
      attempt,
      runner.killed ? { how: 'killed' } : { how: 'exited', message: `The runner ${why}` },
    )
  }
}
