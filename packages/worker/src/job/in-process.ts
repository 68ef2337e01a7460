// Runs handlers in this process. They share its memory and its event loop, and one that ignores its signal cannot be
// stopped: its slot stays taken until it returns.

import type { Attempt } from './attempt.ts'
import type { Executor, OnSettled } from './executor.ts'
import { JobHandle, type Voice } from './job-handle.ts'
import { errorOf } from './settled.ts'

export class InProcess implements Executor {
  readonly #voice: Voice
  readonly #onSettled: OnSettled

  constructor(voice: Voice, onSettled: OnSettled) {
    this.#voice = voice
    this.#onSettled = onSettled
  }

  async open(): Promise<void> {}

  run(attempt: Attempt): void {
    let returned: unknown
    try {
      returned = attempt.extension.run(new JobHandle(attempt, this.#voice))
    } catch (error) {
      this.#onSettled(attempt, { how: 'threw', error: errorOf(error) })
      return
    }
    if (!isThenable(returned)) {
      this.#onSettled(attempt, { how: 'returned', value: returned })
      return
    }
    returned.then(
      (value) => this.#onSettled(attempt, { how: 'returned', value }),
      (error: unknown) => this.#onSettled(attempt, { how: 'threw', error: errorOf(error) }),
    )
  }

  abort(): void {}

  kill(): boolean {
    return false
  }

  async close(): Promise<void> {}
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
