// A runner, the job it has, and what it says and writes about it.

import type { JobError } from '@millrace/protocol'
import { definitionKey } from '../extension/extension.ts'
import type { Attempt } from '../job/attempt.ts'
import type { Voice } from '../job/job-handle.ts'
import type { Settled } from '../job/settled.ts'
import { Runner, type RunnerExit } from './runner.ts'
import type { RunnerGround } from './runner-ground.ts'
import { type FromRunner, settledOf } from './runner-message.ts'
import { RunnerOutput } from './runner-output.ts'
import { StationLocks } from './station-locks.ts'

export interface StationListener {
  ready(extensions: readonly string[]): void
  /** Its job has ended and it can have another. */
  settled(station: RunnerStation, attempt: Attempt, settled: Settled): void
  /** It is gone, and with it the job it had. */
  gone(station: RunnerStation, attempt: Attempt | null, settled: Settled, why: string): void
}

/** As often as the voice of a job is heard. */
const outputMs = 100

export class RunnerStation {
  readonly runner: Runner
  /** Since when it has had no job, by the monotonic clock. */
  idleSince: number = performance.now()
  readonly #ground: RunnerGround
  readonly #voice: Voice
  readonly #listener: StationListener
  #attempt: Attempt | null = null
  #output: RunnerOutput | null = null
  #locks: StationLocks | null = null
  #outputTimer: NodeJS.Timeout | null = null
  /** Why the module could not be imported. */
  #unable: string | null = null
  #crash: JobError | null = null
  #tookTooMuch = false
  readonly gone: Promise<void>
  #isGone: () => void = () => undefined

  constructor(ground: RunnerGround, voice: Voice, listener: StationListener) {
    this.#ground = ground
    this.#voice = voice
    this.#listener = listener
    this.gone = new Promise((resolve) => {
      this.#isGone = resolve
    })
    this.runner = new Runner(ground, {
      heard: (message) => this.#hear(message),
      wrote: (stream, bytes) => this.#wrote(stream, bytes),
      exited: (exit) => this.#exited(exit),
    })
  }

  run(attempt: Attempt): void {
    this.#attempt = attempt
    this.#output = new RunnerOutput(performance.now())
    this.#locks = null
    this.runner.run(definitionKey(attempt.extension), attempt.assigned)
  }

  /** Kills it when it has taken more memory than it may. */
  holdTo(limitMb: number): void {
    if (this.runner.killed || this.runner.memory() <= limitMb) return
    this.#tookTooMuch = true
    this.runner.kill()
  }

  #hear(message: FromRunner): void {
    const attempt = this.#attempt
    if (message.type === 'ready') {
      this.runner.ready()
      this.#listener.ready(message.extensions)
    } else if (message.type === 'unable') this.#unable = message.message
    else if (message.type === 'crashed') this.#crash = message.error
    else if (attempt && message.type === 'progress') {
      this.#voice.progress(attempt.ref, message.fraction, message.message)
    } else if (attempt && message.type === 'log') this.#voice.log(attempt.ref, message.text)
    else if (attempt && message.type === 'lock') void this.#locksOf(attempt).hear(message)
    else if (attempt && message.type === 'settled') void this.#settled(attempt, settledOf(message.end))
  }

  #locksOf(attempt: Attempt): StationLocks {
    // An answer that comes after the end of the job is of no use to the next.
    this.#locks ??= new StationLocks(attempt, this.#voice, (reply) => {
      if (this.#attempt === attempt) this.runner.lock(reply)
    })
    return this.#locks
  }

  async #settled(attempt: Attempt, settled: Settled): Promise<void> {
    // What was written before lies in the pipes by now; the next look of the event loop brings it.
    for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    await this.runner.tidy()
    // It has gone meanwhile, and its end was told.
    if (this.#attempt !== attempt) return
    this.#tellOutput(true)
    this.#attempt = null
    this.idleSince = performance.now()
    this.#listener.settled(this, attempt, settled)
  }

  #exited(exit: RunnerExit): void {
    const attempt = this.#attempt
    this.#tellOutput(true)
    this.#attempt = null
    const why = this.#why(exit)
    this.#listener.gone(this, attempt, this.#end(exit, why), why)
    this.#isGone()
  }

  #why({ text }: RunnerExit): string {
    const { module } = this.#ground.options
    return this.#unable === null ? `${text}.` : `could not import ${module}: ${this.#unable}`
  }

  #end({ ranOutOfMemory }: RunnerExit, why: string): Settled {
    if (this.#tookTooMuch || ranOutOfMemory) {
      const { memoryMb } = this.#ground.options
      const message = `runner_out_of_memory: the job took more memory than the ${memoryMb} MB it may have.`
      return { how: 'exited', message, name: 'RunnerOutOfMemory' }
    }
    if (this.runner.killed) return { how: 'killed' }
    if (this.#crash) return { how: 'threw', error: this.#crash }
    return { how: 'exited', message: `The runner ${why}` }
  }

  #wrote(stream: 'out' | 'err', bytes: Buffer): void {
    // Without a job there is no log it could go to.
    if (!this.#output) return
    this.#output.add(stream, bytes)
    this.#outputTimer ??= setTimeout(() => this.#tellOutput(false), outputMs)
  }

  #tellOutput(isLast: boolean): void {
    if (this.#outputTimer) clearTimeout(this.#outputTimer)
    this.#outputTimer = null
    const now = performance.now()
    const lines = (isLast ? this.#output?.takeLast(now) : this.#output?.take(now)) ?? []
    if (isLast) this.#output = null
    if (this.#attempt && lines.length > 0) this.#voice.log(this.#attempt.ref, lines.join('\n'))
  }
}
