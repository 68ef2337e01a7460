// One process of the cluster over its many lives: started, killed with -9, stopped, continued, started again.

import { setTimeout as pause } from 'node:timers/promises'
import { type ChildLines, startChild } from '../../process/child-process.ts'

export interface Launch {
  readonly command: string
  readonly args: readonly string[]
  readonly variables: Readonly<Record<string, string>>
  /** The line that says that it is there. */
  readonly isReady: (line: string) => boolean
}

/** As whoever looks after a server would: one that cannot start yet, its store being down, is started again. */
const startAgainMs = 300

export class Station {
  readonly name: string
  readonly #launch: Launch
  readonly #lives: ChildLines[] = []
  readonly #crashes: string[] = []
  readonly #meantToEnd = new Set<ChildLines>()

  constructor(name: string, launch: Launch) {
    this.name = name
    this.#launch = launch
  }

  /** The last words of lives that ended by themselves after they had said that they were ready. */
  get crashes(): readonly string[] {
    return this.#crashes
  }

  /** Resolves when it says that it is ready, which while others are down may take until they are back. */
  async start(more: Partial<Pick<Launch, 'args' | 'variables'>> = {}): Promise<void> {
    const { command, args, variables, isReady } = this.#launch
    for (;;) {
      const life = startChild(command, [...(more.args ?? []), ...args], { ...variables, ...more.variables })
      this.#lives.push(life)
      try {
        await life.line(isReady)
        this.#watch(life, more)
        return
      } catch (fault) {
        if (this.#meantToEnd.has(life) || this.#lives.length === 1) throw fault
        await pause(startAgainMs)
      }
    }
  }

  kill(): Promise<void> {
    this.#meantToEnd.add(this.#life)
    return this.#life.kill()
  }

  stop(): void {
    process.kill(this.#life.pid, 'SIGSTOP')
  }

  goOn(): void {
    process.kill(this.#life.pid, 'SIGCONT')
  }

  /** Everything it printed, life after life. */
  log(): string {
    return this.#lives.map(({ pid, lines }) => [`──── pid ${pid}`, ...lines].join('\n')).join('\n')
  }

  #watch(life: ChildLines, more: Parameters<Station['start']>[0]): void {
    void life.ended.then(() => {
      if (this.#meantToEnd.has(life)) return
      this.#crashes.push(life.lines.slice(-10).join('\n'))
      this.start(more).catch(() => undefined)
    })
  }

  get #life(): ChildLines {
    const life = this.#lives.at(-1)
    if (!life) throw new Error(`${this.name} was not started`)
    return life
  }
}
