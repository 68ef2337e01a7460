// One runner process as its worker sees it: started, given a job, told to stop, killed with everything it started.

import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { AssignedJob } from '@millrace/protocol'
import type { JobAborted } from '../worker-error.ts'
import type { FromRunner, ToRunner } from './runner-message.ts'

export interface RunnerOptions {
  /** URL or path of the module that defines the extensions. */
  readonly module: string
  /** Of the JavaScript heap; a handler that needs more ends its runner. */
  readonly memoryMb?: number
}

export interface RunnerListener {
  heard(message: FromRunner): void
  /** The process is gone; said once. */
  exited(how: string): void
}

/** Nobody looks after them when this process is gone, and one that blocks does not notice that it is. */
const alive = new Set<Runner>()
process.once('exit', () => {
  for (const runner of alive) runner.kill()
})

const main = fileURLToPath(new URL('./runner-main.ts', import.meta.url))

export class Runner {
  readonly #child: ChildProcess
  /** This worker killed it. */
  killed = false

  constructor({ module, memoryMb }: RunnerOptions, listener: RunnerListener) {
    // A debugger's port can be had once, and belongs to the worker.
    const inherited = process.execArgv.filter((flag) => !flag.startsWith('--inspect'))
    const limits = memoryMb === undefined ? [] : [`--max-old-space-size=${memoryMb}`]
    this.#child = fork(main, [module], {
      execArgv: [...inherited, ...limits],
      // A group of its own, so that a kill takes whatever the handler started.
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    alive.add(this)
    let isGone = false
    const gone = (how: string): void => {
      if (isGone) return
      isGone = true
      alive.delete(this)
      listener.exited(how)
    }
    this.#child.on('message', (message) => listener.heard(message as FromRunner))
    this.#child.on('exit', (code, signal) => gone(exitText(code, signal)))
    this.#child.on('error', (error) => {
      // A message that could not be delivered; the exit of the process follows, unless it never began.
      if (this.#child.pid === undefined) gone(`could not be started: ${error.message}`)
    })
  }

  run(extension: string, job: AssignedJob): void {
    this.#tell({ type: 'run', extension, job })
  }

  abort({ why, message }: JobAborted): void {
    this.#tell({ type: 'abort', why, message })
  }

  kill(): void {
    this.killed = true
    const { pid } = this.#child
    if (pid === undefined) return
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
    } catch {
      // It was gone already.
    }
  }

  #tell(message: ToRunner): void {
    if (this.#child.connected) this.#child.send(message)
  }
}

function exitText(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `exited with code ${code}` : `was ended by ${signal}`
}
