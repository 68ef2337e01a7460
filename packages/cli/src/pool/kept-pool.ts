// The pool beside a server, as a process that is looked after: started again when it dies, later each time, and ended
// with the server. Its token goes over the line between the two, so no environment and no list of processes shows it.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Config } from '@millrace/server'
import { ownMain } from '../process/own-main.ts'
import { type PoolMessage, tokenPlease } from './pool-message.ts'

export interface PoolKeeping {
  readonly url: string
  readonly config: Config
  readonly token: () => Promise<string>
  readonly warn: (text: string) => void
  /** Further flags of the pool. */
  readonly flags: readonly string[]
}

const firstPauseMs = 500
const longestPauseMs = 30_000
/** One that lived this long was not killed by what killed the one before. */
const steadyMs = 60_000
/** Beyond the time a pool waits for its jobs, for the last reports. */
const lastWordsMs = 8_000

export class KeptPool {
  readonly #keeping: PoolKeeping
  #child: ChildProcess | null = null
  #pauseMs = firstPauseMs
  #timer: NodeJS.Timeout | null = null
  #stopping = false
  readonly #workers = new Set<string>()
  #tellReady: () => void = () => undefined
  /** It has registered for the first time. */
  readonly ready: Promise<void> = new Promise((resolve) => {
    this.#tellReady = resolve
  })

  constructor(keeping: PoolKeeping) {
    this.#keeping = keeping
    this.#start()
  }

  /** As which it has registered since it was first started. */
  get workers(): readonly string[] {
    return [...this.#workers]
  }

  /** Lets running jobs end as long as the configuration says. */
  async stop(): Promise<void> {
    this.#stopping = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    const child = this.#child
    if (child === null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    const patienceMs = this.#keeping.config.shutdownTimeoutMs + lastWordsMs
    const timer = setTimeout(() => this.drop(), patienceMs)
    await ended
    clearTimeout(timer)
  }

  /** Without waiting: a pool that loses its line ends at once, and its runners with it. */
  drop(): void {
    this.#stopping = true
    if (this.#child?.connected === true) this.#child.disconnect()
  }

  #start(): void {
    const { url, config, warn, flags } = this.#keeping
    const child = spawn(process.execPath, [ownMain, 'pool', '--url', url, ...flagsOf(config), ...flags], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: withoutSecrets(process.env),
      // A group of its own: Ctrl-C reaches the server alone, which ends the pool first.
      detached: true,
    })
    this.#child = child
    const startedAt = performance.now()
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', (line) => warn(`pool: ${bare(line)}`))
    }
    child.on('message', (message) => this.#hear(child, message as PoolMessage))
    child.on('exit', (code, signal) => {
      if (performance.now() - startedAt > steadyMs) this.#pauseMs = firstPauseMs
      this.#gone(signal ?? `exit code ${code}`)
    })
    child.on('error', (error) => {
      // Anything else is a message that could not be delivered, and the exit follows.
      if (child.pid === undefined) this.#gone(error.message)
    })
  }

  #hear(child: ChildProcess, message: PoolMessage): void {
    if (message !== tokenPlease) {
      this.#workers.add(message.ready)
      this.#tellReady()
    } else {
      this.#keeping.token().then(
        (token) => child.connected && child.send(token),
        (fault: unknown) => this.#keeping.warn(`the pool gets no token: ${String(fault)}`),
      )
    }
  }

  #gone(how: string): void {
    this.#child = null
    if (this.#stopping) return
    this.#keeping.warn(`the pool ended (${how}); it is started again in ${this.#pauseMs / 1_000} s`)
    this.#timer = setTimeout(() => this.#start(), this.#pauseMs)
    this.#pauseMs = Math.min(longestPauseMs, this.#pauseMs * 2)
  }
}

function flagsOf({
  poolSlots,
  poolRunnerMemoryMb,
  poolSweepMs,
  shutdownTimeoutMs,
}: Config): readonly string[] {
  return [
    ...['--slots', String(poolSlots)],
    ...['--runner-memory-mb', String(poolRunnerMemoryMb)],
    ...['--sweep-ms', String(poolSweepMs)],
    ...['--shutdown-timeout-ms', String(shutdownTimeoutMs)],
    '--quiet',
  ]
}

/** What configures the server is none of the pool's business: passwords, secrets, the address of Redis. */
function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^MILLRACE_|REDIS/.test(name)))
}

/** It says its own name already where it runs alone. */
function bare(line: string): string {
  return line.replace(/^millrace: /, '')
}
