// Submits jobs over one connection that stays open: no request has to be put together for each, and no credential shown.
// What got lost with the connection is sent again where a key makes it the same job; otherwise it is said to be unknown.

import type { AnswerOf, PayloadOf, Submitted, serverEvents } from '@millrace/protocol'
import type { Socket } from 'socket.io-client'
import { Backoff } from '../connection/backoff.ts'
import { dial, problemIn, reconnectMs, type Token } from '../connection/dial.ts'
import { isPassing } from '../report/verdict.ts'
import { SubmitRefused, SubmitUnanswered, WorkerError } from '../worker-error.ts'

export interface SubmitterOptions {
  /** Where the server is, such as `http://127.0.0.1:7717`. */
  readonly url: string
  /** A credential, or how to fetch one: it is asked for at every connect. */
  readonly token?: Token
  /** The room of jobs that name none. */
  readonly room?: string
  /** How long a job waits for its answer, reconnects included. Longer hides restarts; shorter tells sooner. Default 30 s. */
  readonly answerMs?: number
}

type Payload = PayloadOf<typeof serverEvents.jobSubmit>
type Answer = AnswerOf<typeof serverEvents.jobSubmit>

export type JobToSubmit = Omit<Payload, 'room'> & { readonly room?: string }

export interface Submitter {
  /**
   * Resolves when the server has taken the job. Rejects with `SubmitRefused` when it does not, and with `SubmitUnanswered`
   * when the answer is missing; a job with an `idempotencyKey` is sent again after a reconnect before that.
   */
  submit(job: JobToSubmit): Promise<Submitted>
  /** What is not answered by now is `SubmitUnanswered`. */
  close(): void
}

/** It begins to connect at once, and comes back by itself until it is closed. */
export function createSubmitter(options: SubmitterOptions): Submitter {
  return new SocketSubmitter(options)
}

interface Waiting {
  readonly payload: Payload
  readonly timer: NodeJS.Timeout
  readonly resolve: (submitted: Submitted) => void
  readonly reject: (error: WorkerError) => void
  /** On this connection or one before. */
  wasSent: boolean
}

class SocketSubmitter implements Submitter {
  readonly #options: SubmitterOptions
  readonly #socket: Socket
  readonly #backoff = new Backoff(reconnectMs)
  readonly #waiting = new Set<Waiting>()
  /** Why there is no connection, as it was told last. */
  #trouble = 'no connection yet'
  #isClosed = false

  constructor(options: SubmitterOptions) {
    this.#options = options
    this.#socket = dial(options.url, options.token, ({ message }) => {
      this.#trouble = message
    })
    this.#socket.on('connect', () => this.#connected())
    this.#socket.on('connect_error', (error: Error) => this.#notConnected(error))
    this.#socket.on('disconnect', (reason) => this.#lost(reason))
    this.#socket.connect()
  }

  submit(job: JobToSubmit): Promise<Submitted> {
    return new Promise((resolve, reject) => {
      const room = job.room ?? this.#options.room
      if (room === undefined) throw new WorkerError('A job needs a room: name one with it or for all.')
      if (this.#isClosed) throw new WorkerError('The submitter is closed.')
      const timer = setTimeout(() => this.#tooLate(waiting), this.#options.answerMs ?? 30_000)
      const waiting: Waiting = { payload: { ...job, room }, timer, resolve, reject, wasSent: false }
      this.#waiting.add(waiting)
      if (this.#socket.connected) this.#send(waiting)
      else if (!this.#socket.active) this.#tryLater()
    })
  }

  close(): void {
    this.#isClosed = true
    this.#backoff.stop()
    // Before the connection goes: its end would be given as the reason.
    for (const waiting of this.#waiting) this.#unanswered(waiting, 'the submitter was closed')
    this.#socket.disconnect()
  }

  #connected(): void {
    this.#backoff.reset()
    for (const waiting of this.#waiting) this.#send(waiting)
  }

  #send(waiting: Waiting): void {
    waiting.wasSent = true
    this.#socket.emit('job:submit', waiting.payload, (answer: Answer) => {
      // Of a job that was given up meanwhile.
      if (!this.#take(waiting)) return
      if (answer.ok) waiting.resolve({ id: answer.id, created: answer.created })
      else waiting.reject(new SubmitRefused(answer.problem))
    })
  }

  /** Without a key a job that is sent again could be a second one. */
  #lost(reason: string): void {
    this.#trouble = `the connection was lost (${reason})`
    for (const waiting of this.#waiting) {
      const isOnce = waiting.payload.idempotencyKey !== undefined
      if (waiting.wasSent && !isOnce) this.#unanswered(waiting, this.#trouble)
    }
    // The client comes back from a broken connection by itself, but not when the server has shown it the door.
    if (!this.#socket.active && !this.#isClosed) this.#tryLater()
  }

  #notConnected(error: Error): void {
    const problem = problemIn(error)
    this.#trouble = problem?.detail ?? error.message
    if (problem === null || isPassing(problem)) {
      if (!this.#socket.active) this.#tryLater()
      return
    }
    // Whoever is not let in is not let in a moment later either; the next job tries again.
    for (const waiting of [...this.#waiting]) {
      this.#take(waiting)
      waiting.reject(new SubmitRefused(problem))
    }
  }

  #tryLater(): void {
    this.#backoff.wait(() => {
      if (!this.#socket.connected) this.#socket.connect()
    })
  }

  #tooLate(waiting: Waiting): void {
    this.#unanswered(waiting, this.#socket.connected ? 'the server took too long' : this.#trouble)
  }

  #unanswered(waiting: Waiting, why: string): void {
    if (!this.#take(waiting)) return
    const { wasSent } = waiting
    const what = wasSent ? 'whether it was taken is not known' : 'it was not sent'
    waiting.reject(new SubmitUnanswered(`The job has no answer, ${what}: ${why}.`, wasSent))
  }

  #take(waiting: Waiting): boolean {
    clearTimeout(waiting.timer)
    return this.#waiting.delete(waiting)
  }
}
