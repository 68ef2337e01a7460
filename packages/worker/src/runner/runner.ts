// One runner process as its worker sees it: started, given a job, told to stop, killed with everything it started.

import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { AssignedJob } from '@millrace/protocol'
import { within } from '../worker/within.ts'
import type { JobAborted } from '../worker-error.ts'
import {
  descendantsOf,
  hasProcessTable,
  isAlive,
  killAll,
  memoryOf,
  type ProcessName,
  processNamed,
  tracesOfChildren,
} from './process-table.ts'
import type { RunnerCgroup } from './runner-cgroup.ts'
import type { RunnerGround } from './runner-ground.ts'
import type { FromRunner, LockReply, ToRunner } from './runner-message.ts'

export interface RunnerExit {
  readonly text: string
  readonly ranOutOfMemory: boolean
}

export interface RunnerListener {
  heard(message: FromRunner): void
  wrote(stream: 'out' | 'err', bytes: Buffer): void
  /** The process is gone with everything it started, and its last output was read; said once. */
  exited(exit: RunnerExit): void
}

/** Nobody looks after them when this process is gone, and one that blocks does not notice that it is. */
const alive = new Set<Runner>()
process.once('exit', () => {
  for (const runner of alive) runner.kill()
})

const main = fileURLToPath(new URL('./runner-main.ts', import.meta.url))

/** A debugger's port can be had once; files of variables hold what a runner must not see; the limits are our own. */
const notInherited = /^--(?:inspect|env-file|max-old-space-size|max_old_space_size)/
/** What V8 says before it aborts. */
const heapIsFull = /heap out of memory|Allocation failed - /
/** Of stderr; what V8 says is followed by a stack of about half of this. */
const lastWordsLength = 8_000
/** A pipe that somebody out of reach keeps open must not keep the runner from being gone. */
const lastOutputMs = 500

export class Runner {
  readonly mark: string
  readonly #child: ChildProcess
  readonly #ground: RunnerGround
  readonly #cgroup: RunnerCgroup | null
  /** What it has been seen to start, also what has been left behind by its parent since. */
  readonly #started = new Map<number, ProcessName>()
  /** What the module started when it was imported: it serves all jobs. */
  #own: readonly ProcessName[] = []
  #traces = 0
  #lastWords = ''
  #isGone = false
  /** This worker killed it. */
  killed = false

  constructor(ground: RunnerGround, listener: RunnerListener) {
    this.#ground = ground
    this.mark = ground.newMark()
    this.#cgroup = ground.newCgroup()
    this.#child = startProcess(ground, this.mark)
    const { pid } = this.#child
    if (pid !== undefined) this.#cgroup?.enter(pid)
    alive.add(this)
    this.#listen(listener)
  }

  /** It is there to take a job: its end may be some moments old before it is told. */
  get isThere(): boolean {
    const { pid } = this.#child
    if (pid === undefined || this.killed || this.#isGone) return false
    return !hasProcessTable || processNamed(pid) !== null
  }

  run(extension: string, job: AssignedJob): void {
    this.#tell({ type: 'run', extension, job })
  }

  abort({ why, message }: JobAborted): void {
    this.#tell({ type: 'abort', why, message })
  }

  lock(reply: LockReply): void {
    this.#tell({ type: 'lock', reply })
  }

  kill(): void {
    this.killed = true
    const { pid } = this.#child
    if (pid === undefined || this.#isGone) return
    // While its parents live its children can be found, so they are looked for first.
    this.#look(pid)
    this.#cgroup?.kill()
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
    } catch {
      // It was gone already.
    }
    killAll(this.#started.values())
  }

  /** In MB, with everything it started. */
  memory(): number {
    const { pid } = this.#child
    if (pid === undefined || this.#isGone) return 0
    this.#look(pid)
    let kb = memoryOf(pid)
    for (const each of this.#started.values()) if (isAlive(each)) kb += memoryOf(each.pid)
    return kb / 1024
  }

  /** The module was imported. */
  ready(): void {
    const { pid } = this.#child
    if (pid === undefined) return
    this.#own = descendantsOf(pid)
    this.#traces = tracesOfChildren(pid)
  }

  /** Ends what its job has left behind. Most jobs start no process, and nothing is looked for. */
  async tidy(): Promise<void> {
    const { pid } = this.#child
    if (pid === undefined || this.#isGone) return
    this.#look(pid)
    const traces = tracesOfChildren(pid)
    if (this.#started.size === 0 && traces === this.#traces) return
    this.#traces = traces
    killAll(this.#started.values())
    this.#started.clear()
    await this.sweep()
  }

  /** Ends whatever it has started, wherever that hid. */
  async sweep(): Promise<void> {
    const { pid } = this.#child
    const spared = pid === undefined || this.#isGone ? [] : [pid, ...this.#own.map((each) => each.pid)]
    await this.#ground.guard?.sweep(this.mark, spared)
  }

  #look(pid: number): void {
    for (const each of descendantsOf(pid)) {
      if (!this.#own.some((own) => own.pid === each.pid)) this.#started.set(each.pid, each)
    }
  }

  #listen(listener: RunnerListener): void {
    const child = this.#child
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
    child.on('message', (message) => listener.heard(message as FromRunner))
    child.stdout?.on('data', (bytes: Buffer) => listener.wrote('out', bytes))
    child.stderr?.on('data', (bytes: Buffer) => {
      this.#lastWords = (this.#lastWords + bytes.toString('latin1')).slice(-lastWordsLength)
      listener.wrote('err', bytes)
    })
    const gone = (text: string): void => {
      if (!this.#isGone) void this.#gone(closed).then(() => listener.exited(this.#exit(text)))
      this.#isGone = true
    }
    child.on('exit', (code, signal) => gone(exitText(code, signal)))
    child.on('error', (error) => {
      // A message that could not be delivered; the exit of the process follows, unless it never began.
      if (child.pid === undefined) gone(`could not be started: ${error.message}`)
    })
  }

  async #gone(closed: Promise<void>): Promise<void> {
    alive.delete(this)
    killAll([...this.#started.values(), ...this.#own])
    this.#cgroup?.kill()
    this.#isGone = true
    await this.sweep()
    if (this.#child.pid !== undefined) await within(lastOutputMs, closed)
    this.#child.stdout?.destroy()
    this.#child.stderr?.destroy()
  }

  #exit(text: string): RunnerExit {
    const ranOutOfMemory = this.#cgroup?.ranOutOfMemory === true || heapIsFull.test(this.#lastWords)
    this.#cgroup?.remove()
    return { text, ranOutOfMemory }
  }

  #tell(message: ToRunner): void {
    if (this.#child.connected) this.#child.send(message)
  }
}

function startProcess(ground: RunnerGround, mark: string): ChildProcess {
  const { options, user } = ground
  const inherited = process.execArgv.filter((flag) => !notInherited.test(flag))
  return fork(main, [options.module], {
    execArgv: [...inherited, `--max-old-space-size=${options.memoryMb}`],
    env: ground.environmentWith(mark),
    // A group of its own, so that a kill takes whatever the handler started.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    ...(user && { uid: user.uid, gid: user.gid }),
  })
}

function exitText(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `exited with code ${code}` : `was ended by ${signal}`
}
