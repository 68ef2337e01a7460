// Ends what carries the mark of a runner, wherever it hid: also what left the runner's group and outlived its parents.
// The guard is a small shell process beside the worker. It runs as the user of the runners, whose processes alone it can
// look into and end; and when its worker is gone, however it went, it ends everything and cleans up.

import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { markVariable } from './runner-environment.ts'
import type { RunnerUser } from './runner-options.ts'

/**
 * $1 is the mark of all runners of the worker, $2 a folder to remove at the end. Each line read is a number, a mark, and
 * processes to spare; the number is written when nothing with that mark is left. Twenty rounds, because what forks faster
 * than it is ended must not keep the guard for ever.
 */
const script = `
trap '' TERM INT HUP
sweep() {
  mark=$1; shift; rounds=0; found=1
  while [ -n "$found" ] && [ "$rounds" -lt 20 ]; do
    found=; rounds=$((rounds + 1))
    for file in $(grep -lsF -e "${markVariable}=$mark" /proc/[0-9]*/environ); do
      pid=\${file#/proc/}; pid=\${pid%/environ}
      case " $* " in
        *" $pid "*) ;;
        *) kill -9 "$pid" 2>/dev/null && found=1 ;;
      esac
    done
  done
}
while read -r number mark spared; do sweep "$mark" $spared; echo "$number"; done
sweep "$1"
[ -z "$2" ] || rm -rf -- "$2"
`

/** A guard that does not answer must not keep a job from ending. */
const answerMs = 5_000
/** One that somebody ends is started again, but not where it cannot live. */
const maxStarts = 100

export class RunnerGuard {
  readonly #mark: string
  readonly #user: RunnerUser | null
  readonly #folder: string
  readonly #onMissing: (why: string) => void
  #child: ChildProcess | null = null
  #isClosed = false
  #starts = 0
  #number = 0
  readonly #sweeps = new Map<number, () => void>()

  constructor(
    mark: string,
    user: RunnerUser | null,
    folder: string | null,
    onMissing: (why: string) => void,
  ) {
    this.#mark = mark
    this.#user = user
    this.#folder = folder ?? ''
    this.#onMissing = onMissing
    this.#start()
  }

  /** Resolves when nothing with this mark is left but the processes to spare. */
  sweep(mark: string, spared: readonly number[] = []): Promise<void> {
    const stdin = this.#child?.stdin
    if (!stdin) return Promise.resolve()
    this.#number += 1
    const number = this.#number
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#answered(number), answerMs)
      this.#sweeps.set(number, () => {
        clearTimeout(timer)
        resolve()
      })
      stdin.write(`${[number, mark, ...spared].join(' ')}\n`)
    })
  }

  /** Lets it end everything that is left; resolves when it is gone itself. */
  async close(): Promise<void> {
    this.#isClosed = true
    const child = this.#child
    if (!child) return
    const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
    child.stdin?.end()
    const timer = setTimeout(() => child.kill('SIGKILL'), answerMs)
    await gone
    clearTimeout(timer)
  }

  #start(): void {
    this.#starts += 1
    const child = spawn('/bin/sh', ['-c', script, 'millrace-guard', this.#mark, this.#folder], {
      // Out of reach of Ctrl-C and of a kill of the worker's group.
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
      cwd: '/',
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
      ...(this.#user && { uid: this.#user.uid, gid: this.#user.gid }),
    })
    this.#child = child
    child.stdin.on('error', () => undefined)
    createInterface({ input: child.stdout }).on('line', (line) => this.#answered(Number(line)))
    child.once('error', ({ message }) => this.#onMissing(message))
    child.once('close', () => this.#gone())
  }

  #answered(number: number): void {
    this.#sweeps.get(number)?.()
    this.#sweeps.delete(number)
  }

  #gone(): void {
    const wasStarted = this.#child?.pid !== undefined
    this.#child = null
    for (const number of [...this.#sweeps.keys()]) this.#answered(number)
    if (wasStarted && !this.#isClosed && this.#starts < maxStarts) this.#start()
  }
}
