// A command that stays, as a process in a group of its own, as a terminal starts it; and one that ends, as its output and
// exit code. Neither outlives the test process, nor does what they started.

import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { atExit } from '../process/at-exit.ts'
import { familyOf, kill, type Member, until } from './process-family.ts'

const cli = dirname(fileURLToPath(import.meta.resolve('millrace/package.json')))

export const millrace: string = join(cli, 'bin/millrace.cjs')
export const repository: string = join(cli, '../..')

export interface Place {
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
}

export interface Finished {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs it to its end. */
export async function run(command: string, args: readonly string[], place: Place = {}): Promise<Finished> {
  const child = start(command, args, place)
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out, err }
}

/** `millrace …`, to its end. */
export function runMillrace(args: readonly string[], place: Place = {}): Promise<Finished> {
  return run(process.execPath, [millrace, ...args], place)
}

export class CommandProcess {
  readonly lines: string[] = []
  /** An exit code, or the signal that ended it. */
  readonly exit: Promise<number | NodeJS.Signals | null>
  readonly #child: ChildProcessByStdio<null, Readable, Readable>
  #ended = false

  constructor(command: string, args: readonly string[], place: Place = {}) {
    this.#child = start(command, args, place)
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => this.lines.push(line))
    }
    this.exit = once(this.#child, 'exit').then(([code, signal]) => {
      this.#ended = true
      return code ?? signal
    })
  }

  get pid(): number {
    return this.#child.pid ?? -1
  }

  /** The line, past or to come, that has this text; the `nth` of them. */
  async line(text: string, nth = 1): Promise<string> {
    const found = (): readonly string[] => this.lines.filter((line) => line.includes(text))
    await until(() => found().length >= nth || this.#ended)
    const line = found()[nth - 1]
    if (line === undefined) throw new Error(`it ended without '${text}':\n${this.lines.join('\n')}`)
    return line
  }

  family(): readonly Member[] {
    return familyOf(this.pid)
  }

  /** The member whose command line has this text. */
  member(text: string): Member {
    const found = this.family().find(({ command }) => command.includes(text))
    if (!found) throw new Error(`no '${text}' among\n${JSON.stringify(this.family(), null, 2)}`)
    return found
  }

  signal(signal: NodeJS.Signals): void {
    process.kill(this.pid, signal)
  }

  /** As a terminal does it: everybody in front hears it. */
  signalGroup(signal: NodeJS.Signals): void {
    process.kill(-this.pid, signal)
  }

  /** As somebody does who does not want to wait. */
  async signalUntilEnded(signal: NodeJS.Signals): Promise<void> {
    const again = setInterval(() => this.signal(signal), 100)
    await this.exit
    clearInterval(again)
  }
}

const alive = new Set<number>()
atExit(() => {
  for (const root of alive) kill(familyOf(root))
})

function start(
  command: string,
  args: readonly string[],
  { env, cwd }: Place,
): ChildProcessByStdio<null, Readable, Readable> {
  const child = spawn(command, args, {
    cwd,
    // As npx does it, whoever runs the tests.
    env: { ...process.env, npm_command: 'exec', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const { pid } = child
  if (pid !== undefined) {
    alive.add(pid)
    child.once('exit', () => alive.delete(pid))
  }
  return child
}
