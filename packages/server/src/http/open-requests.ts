// The requests that are being answered, so that a server that stops lets them end: whoever is cut off in the middle of a
// submit cannot know whether it was taken.

import type { FastifyInstance } from 'fastify'

export class OpenRequests {
  #count = 0
  #isEnding = false
  #ended: () => void = () => undefined

  constructor(app: FastifyInstance) {
    app.addHook('onRequest', (_request, reply, done) => {
      this.#count += 1
      // Whoever holds its connection open would go on asking.
      if (this.#isEnding) reply.header('connection', 'close')
      reply.raw.once('close', () => this.#close())
      done()
    })
  }

  /** Resolves when nothing is being answered any more, or when that has taken too long. */
  async end(withinMs: number): Promise<void> {
    this.#isEnding = true
    if (this.#count === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, withinMs)
      this.#ended = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #close(): void {
    this.#count -= 1
    if (this.#count === 0) this.#ended()
  }
}
