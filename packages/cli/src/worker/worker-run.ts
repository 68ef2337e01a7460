// A worker's file in a process of its own. A handler that never waits keeps that process from hearing anything, also of
// Ctrl-C; whoever looks after it from outside can say so, and end it whatever it does.

import { type ChildProcess, spawn } from 'node:child_process'
import type { Terminal } from '../output/terminal.ts'
import { ownMain } from '../process/own-main.ts'
import type { FileStamp } from './file-stamp.ts'
import { LoopWatch } from './loop-watch.ts'
import { areYouThere, type RunMessage } from './run-message.ts'

/** The exit code, or the signal that ended it. */
export type RunEnd = number | NodeJS.Signals

/** A busy machine takes its time to answer; a handler that blocks takes longer. */
const answerMs = 1_000

export class WorkerRun {
  readonly ended: Promise<RunEnd>
  readonly #child: ChildProcess
  #hasEnded = false
  #answer: () => void = () => undefined
  readonly #loop: LoopWatch
  #isServing = false
  #extension: string | null = null

  /** `onFile` hears of every file that the worker is made of, `onBlocked` once each time that a job keeps it from answering. */
  constructor(
    onBlocked: (extension: string | null) => void,
    onFile: (stamp: FileStamp) => void = () => undefined,
    env: NodeJS.ProcessEnv = process.env,
  ) {
    const child = spawn(process.execPath, [...process.execArgv, ownMain, ...process.argv.slice(2)], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      // A group of its own: Ctrl-C reaches this process alone, which then ends the other once.
      detached: true,
      env,
    })
    this.#child = child
    this.#loop = new LoopWatch(
      () => this.#ask(),
      () => onBlocked(this.#extension),
    )
    child.on('message', (message) => this.#hear(message as RunMessage, onFile))
    this.ended = new Promise((resolve, reject) => {
      child.once('exit', (code, signal) => {
        this.#hasEnded = true
        this.#loop.stop()
        resolve(signal ?? code ?? 0)
      })
      child.on('error', (error) => {
        // Anything else is a message that could not be delivered, and the exit follows.
        if (child.pid === undefined) reject(error)
      })
    })
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Tells it to end in order; says so when it does not hear that, with what then happens. */
  async stop(terminal: Terminal, then: string): Promise<void> {
    this.#loop.stop()
    this.#child.kill('SIGTERM')
    if (await this.#answers()) return
    terminal.warn(`the worker does not hear this: a job keeps its event loop busy. ${then}`)
  }

  /** With everything it started that stayed with it. */
  kill(): void {
    const { pid } = this.#child
    if (pid === undefined || this.#hasEnded) return
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
    } catch {
      // It was gone already.
    }
  }

  /** Whether its event loop turns, or it has ended. */
  #answers(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), answerMs)
      this.#answer = () => {
        clearTimeout(timer)
        resolve(true)
      }
      void this.ended.then(this.#answer)
      this.#ask()
    })
  }

  #ask(): void {
    if (this.#child.connected) this.#child.send(areYouThere)
  }

  #hear(message: RunMessage, onFile: (stamp: FileStamp) => void): void {
    if (message === areYouThere) {
      this.#loop.answered()
      this.#answer()
    } else if ('serving' in message) {
      this.#extension = message.serving
      if (!this.#isServing) this.#loop.start()
      this.#isServing = true
    } else onFile(message)
  }
}
