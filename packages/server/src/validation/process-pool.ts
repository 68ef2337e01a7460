// A few validating processes that are lent out one request at a time. One that died is replaced at once.

import { ValidationProcess } from './validation-process.ts'

/** Too many wait already. */
export const overloaded = 'overloaded'

export class ProcessPool {
  readonly #size: number
  readonly #maxWaiting: number
  readonly #idle: ValidationProcess[] = []
  readonly #all = new Set<ValidationProcess>()
  readonly #waiting: ((process: ValidationProcess) => void)[] = []
  #closed = false

  constructor(size: number, maxWaiting: number) {
    this.#size = size
    this.#maxWaiting = maxWaiting
    // The first one takes longest to start; whoever needs it should find it running.
    this.#idle.push(this.#start())
  }

  async lend<Answer>(
    work: (process: ValidationProcess) => Promise<Answer>,
  ): Promise<Answer | typeof overloaded> {
    const process = await this.#take()
    if (process === overloaded) return overloaded
    try {
      return await work(process)
    } finally {
      this.#giveBack(process)
    }
  }

  close(): void {
    this.#closed = true
    for (const each of this.#all) each.kill()
  }

  #take(): ValidationProcess | Promise<ValidationProcess> | typeof overloaded {
    if (this.#closed) throw new Error('the validator is closed')
    const idle = this.#idle.pop()
    // It may have been ended from outside while nobody used it.
    if (idle) return this.#fit(idle)
    if (this.#all.size < this.#size) return this.#start()
    if (this.#waiting.length >= this.#maxWaiting) return overloaded
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #giveBack(process: ValidationProcess): void {
    const fit = this.#fit(process)
    const next = this.#waiting.shift()
    if (next) next(fit)
    else this.#idle.push(fit)
  }

  #fit(process: ValidationProcess): ValidationProcess {
    if (!process.isDead || this.#closed) return process
    this.#all.delete(process)
    return this.#start()
  }

  #start(): ValidationProcess {
    const process = new ValidationProcess()
    this.#all.add(process)
    return process
  }
}
