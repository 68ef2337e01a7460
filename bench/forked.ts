// A child process of a bench that talks by messages: it answers when it is ready, when it is asked, and stops when told.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

export class Forked {
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  /** Resolves with the first thing it says: that it is ready. */
  static async start(file: URL, setup: object, execArgv: readonly string[] = []): Promise<Forked> {
    const child = fork(file, [JSON.stringify(setup)], { execArgv: [...process.execArgv, ...execArgv] })
    const forked = new Forked(child)
    await forked.next()
    return forked
  }

  get pid(): number {
    return this.#child.pid ?? -1
  }

  async next<Content>(): Promise<Content> {
    const ended = new AbortController()
    const fail = (): void => ended.abort(new Error('a process of the bench ended early'))
    this.#child.once('exit', fail)
    try {
      const [content] = (await once(this.#child, 'message', { signal: ended.signal })) as [Content]
      return content
    } finally {
      this.#child.off('exit', fail)
    }
  }

  ask<Content>(question: object): Promise<Content> {
    const answer = this.next<Content>()
    this.#child.send(question)
    return answer
  }

  async stop(): Promise<void> {
    const exited = once(this.#child, 'exit')
    this.#child.send({ stop: true })
    await exited
  }
}

/** The other end of it: what the process was set up with, and what it does when it is asked or told to stop. */
export function setupOfFork<Setup>(): Setup {
  return JSON.parse(process.argv[2] ?? '{}') as Setup
}

/** An answer of null means that it comes later. */
export function serveParent(answer: (question: object) => object | null, stop: () => Promise<unknown>): void {
  process.on('message', (message: object) => {
    if ('stop' in message) {
      void stop().finally(() => process.disconnect?.())
      return
    }
    const said = answer(message)
    if (said !== null) process.send?.(said)
  })
  process.send?.({ ready: true })
}
