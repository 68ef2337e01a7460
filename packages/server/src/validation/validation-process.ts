// One validating process as the server sees it. It is lent out one request at a time, and killed when it does not even
// say that it took too long. A process and not a thread: what a schema or data does to the engine, from a full heap to a
// crash, ends the process alone. It gets no variables, writes no file and starts nothing.

import { type ChildProcess, fork } from 'node:child_process'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { longestInLimits } from './time-limit.ts'
import type { FromValidation, TimedAnswer, ToValidation, ValidationRequest } from './validation-message.ts'

const main = fileURLToPath(new URL('./validation-main.ts', import.meta.url))

/** The heap: what a schema and data of their largest sizes take, several times over. */
const execArgv = ['--max-old-space-size=128', '--max-semi-space-size=16', '--permission', '--allow-fs-read=*']
/** It stops by itself at its limit; one step of the engine, which cannot be stopped, gets no more than this. */
const graceMs = 500

/** Nobody looks after them when this process is gone. */
const alive = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

/** Behind whoever answers, among them this process: costly schemas one after the other would take half of a small machine. */
function giveWay({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, 10)
  } catch {
    // It was gone already, or this system has no such thing.
  }
}

export class ValidationProcess {
  readonly #child: ChildProcess
  readonly #ready: Promise<void>
  #started: (fault: Error | null) => void = () => undefined
  #answered: ((answer: TimedAnswer) => void) | null = null
  #isDead = false

  constructor() {
    this.#child = fork(main, {
      execArgv,
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    })
    alive.add(this.#child)
    giveWay(this.#child)
    this.#child.unref()
    this.#child.channel?.unref()
    this.#child.on('message', (message: FromValidation) => this.#heard(message))
    this.#child.once('exit', () => this.#ended(new Error('the validating process has ended')))
    this.#child.on('error', (fault) => this.#ended(fault))
    this.#ready = new Promise((resolve, reject) => {
      this.#started = (fault) => (fault === null ? resolve() : reject(fault))
    })
    // Told to whoever asks next.
    this.#ready.catch(() => undefined)
  }

  get isDead(): boolean {
    return this.#isDead
  }

  /** The time counts from when the process has the request, not from when it was started. */
  async ask(request: ValidationRequest, limitMs: number): Promise<TimedAnswer> {
    await this.#ready
    if (this.#isDead) return { kind: 'overdue', usedMs: 0 }
    return new Promise((resolve) => {
      // An answer that arrived while the event loop itself was late is read first.
      const timer = setTimeout(
        () => setImmediate(() => this.#answered && this.kill()),
        longestInLimits * limitMs + graceMs,
      )
      this.#answered = (answer) => {
        this.#answered = null
        clearTimeout(timer)
        resolve(answer)
      }
      const message: ToValidation = { request, limitMs }
      this.#child.send(message, (fault) => fault && this.kill())
    })
  }

  kill(): void {
    this.#child.kill('SIGKILL')
    this.#ended(new Error('the validating process was ended'))
  }

  #heard(message: FromValidation): void {
    if (message === 'ready') this.#started(null)
    else this.#answered?.(message)
  }

  #ended(fault: Error): void {
    this.#isDead = true
    alive.delete(this.#child)
    this.#started(fault)
    this.#answered?.({ kind: 'overdue', usedMs: 0 })
  }
}
