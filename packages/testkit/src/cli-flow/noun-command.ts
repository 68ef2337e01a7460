// `millrace …` as a process of its own, as a user or a script runs it: what it printed on which stream, and its exit code.
// What it prints can be waited for while it runs.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { atExit } from '../process/at-exit.ts'
import { millrace } from './command-process.ts'

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface CommandPlace {
  readonly env: Readonly<Record<string, string>>
  readonly stdin?: string
  /** At a terminal, with whoever types: both streams are one then. */
  readonly isTerminal?: boolean
}

const alive = new Set<ChildProcessWithoutNullStreams>()
atExit(() => {
  for (const child of alive) child.kill('SIGKILL')
})

export class NounCommand {
  readonly ended: Promise<Ended>
  readonly #child: ChildProcessWithoutNullStreams
  readonly #watchers = new Set<() => void>()
  #out = ''
  #err = ''

  constructor(args: readonly string[], { env, stdin = '', isTerminal = false }: CommandPlace) {
    // Only what is given: neither a profile nor a token of whoever runs the tests.
    const { PATH = '' } = process.env
    const [command, ...rest] = isTerminal ? atTerminal(args) : [process.execPath, millrace, ...args]
    this.#child = spawn(command ?? '', rest, { env: { PATH, ...env } })
    alive.add(this.#child)
    this.#child.stdin.on('error', () => undefined)
    if (!isTerminal) this.#child.stdin.end(stdin)
    this.#child.stdout
      .setEncoding('utf8')
      .on('data', (text: string) => this.#heard(() => (this.#out += text)))
    this.#child.stderr
      .setEncoding('utf8')
      .on('data', (text: string) => this.#heard(() => (this.#err += text)))
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (code) => {
        alive.delete(this.#child)
        resolve({ code, out: this.#out, err: this.#err })
        this.#heard(() => '')
      })
    })
  }

  /** Resolves when this text was printed, on whichever stream; rejects when the command ends without it. */
  said(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const has = this.#out.includes(text) || this.#err.includes(text)
        if (!has && alive.has(this.#child)) return
        this.#watchers.delete(look)
        if (has) resolve()
        else reject(new Error(`it ended without '${text}':\n${this.#out}\n${this.#err}`))
      }
      this.#watchers.add(look)
      look()
    })
  }

  /** As at a keyboard. */
  type(text: string): void {
    this.#child.stdin.write(text)
  }

  interrupt(): void {
    this.#child.kill('SIGINT')
  }

  #heard(take: () => string): void {
    take()
    for (const look of [...this.#watchers]) look()
  }
}

/** `script` of util-linux gives it a terminal of its own and passes on what is typed. */
function atTerminal(args: readonly string[]): readonly string[] {
  const words = [process.execPath, millrace, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`)
  return ['script', '--quiet', '--return', '--flush', '--command', words.join(' '), '/dev/null']
}
