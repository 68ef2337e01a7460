// A few threads that are lent out one request at a time and killed when an answer is overdue: JavaScript that runs for
// too long cannot be stopped in any other way. A killed thread is replaced at once.

import { Worker } from 'node:worker_threads'
import type { ThreadAnswer, ThreadRequest } from './validation-thread.ts'

/** The answer did not come in time, or the thread ran out of memory over it. */
export const overdue = 'overdue'
/** Too many wait already. */
export const overloaded = 'overloaded'

/** What a schema and data of their largest sizes take, several times over. */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 }

export class ValidationThread {
  readonly #thread: Worker
  readonly #ready: Promise<void>
  #isDead = false

  constructor() {
    this.#thread = new Worker(new URL('./validation-thread.ts', import.meta.url), { resourceLimits })
    this.#thread.unref()
    this.#ready = new Promise((resolve, reject) => {
      this.#thread.once('message', () => resolve())
      this.#thread.once('error', reject)
      this.#thread.once('exit', () => reject(new Error('the validation thread has ended')))
    })
    // Told to whoever asks next.
    this.#ready.catch(() => undefined)
    this.#thread.once('exit', () => {
      this.#isDead = true
    })
  }

  get isDead(): boolean {
    return this.#isDead
  }

  /** The time counts from when the thread has it, not from when it was started. */
  async ask(request: ThreadRequest, limitMs: number): Promise<ThreadAnswer | typeof overdue> {
    await this.#ready
    if (this.#isDead) return overdue
    const thread = this.#thread
    return new Promise((resolve) => {
      let settled = false
      const settle = (answer: ThreadAnswer | typeof overdue): void => {
        settled = true
        clearTimeout(timer)
        thread.off('message', settle)
        thread.off('error', onEnd)
        thread.off('exit', onEnd)
        resolve(answer)
      }
      const onEnd = (): void => {
        this.#isDead = true
        settle(overdue)
      }
      // An answer that arrived while the event loop itself was late is read first.
      const timer = setTimeout(() => setImmediate(() => settled || void this.kill()), limitMs)
      thread.on('message', settle)
      thread.once('error', onEnd)
      thread.once('exit', onEnd)
      thread.postMessage(request)
    })
  }

  async kill(): Promise<void> {
    this.#isDead = true
    await this.#thread.terminate()
  }
}

export class ThreadPool {
  readonly #size: number
  readonly #maxWaiting: number
  readonly #idle: ValidationThread[] = []
  readonly #all = new Set<ValidationThread>()
  readonly #waiting: ((thread: ValidationThread) => void)[] = []
  #closed = false

  constructor(size: number, maxWaiting: number) {
    this.#size = size
    this.#maxWaiting = maxWaiting
    // The first one takes longest to start; whoever needs it should find it running.
    this.#idle.push(this.#start())
  }

  async lend<Answer>(
    work: (thread: ValidationThread) => Promise<Answer>,
  ): Promise<Answer | typeof overloaded> {
    const thread = await this.#take()
    if (thread === overloaded) return overloaded
    try {
      return await work(thread)
    } finally {
      this.#giveBack(thread)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#all].map((thread) => thread.kill()))
  }

  #take(): ValidationThread | Promise<ValidationThread> | typeof overloaded {
    if (this.#closed) throw new Error('the validator is closed')
    const idle = this.#idle.pop()
    if (idle) return idle
    if (this.#all.size < this.#size) return this.#start()
    if (this.#waiting.length >= this.#maxWaiting) return overloaded
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #giveBack(thread: ValidationThread): void {
    const fit = thread.isDead && !this.#closed ? this.#replace(thread) : thread
    const next = this.#waiting.shift()
    if (next) next(fit)
    else this.#idle.push(fit)
  }

  #replace(thread: ValidationThread): ValidationThread {
    this.#all.delete(thread)
    return this.#start()
  }

  #start(): ValidationThread {
    const thread = new ValidationThread()
    this.#all.add(thread)
    return thread
  }
}
