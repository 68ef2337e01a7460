// Submits jobs over one connection that stays open: no request has to be put together for each, and no credential shown.
// What got lost with the connection is sent again where a key makes it the same job; otherwise it is said to be unknown.

import type { AnswerOf, PayloadOf, Problem, Submitted, serverEvents } from '@millrace/protocol'
import type { Socket } from 'socket.io-client'
import { Backoff } from '../connection/backoff.ts'
import { dial, problemIn, reconnectMs, type Token } from '../connection/dial.ts'
import { asJson } from '../report/as-json.ts'
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

/** A server cuts the connection at a larger message, and with it goes whatever else is under way there. */
const messageMaxBytes = 4_000_000
/** Around the job in its message. */
const envelopeBytes = 100
/** Refused by a server that stops: the next one will take it. */
const beingStopped = 'server_stopping'

interface Waiting {
  readonly payload: Payload
  readonly timer: NodeJS.Timeout
  readonly resolve: (submitted: Submitted) => void
  readonly reject: (error: WorkerError) => void
  /** On this connection or one before, and may have been taken. */
  wasSent: boolean
}

class SocketSubmitter implements Submitter {
  readonly #options: SubmitterOptions
  readonly #socket: Socket
  readonly #backoff = new Backoff(reconnectMs)
  readonly #waiting = new Set<Waiting>()
  /** Why there is no connection, as it was told last. */
  #trouble = 'no connection yet'
  /** Why the next connect shows no credential. */
  #tokenTrouble: string | null = null
  #isClosed = false

  constructor(options: SubmitterOptions) {
    this.#options = options
    this.#socket = dial(options.url, options.token, ({ message, cause }) => {
      this.#tokenTrouble = cause instanceof Error ? `${message} (${cause.message})` : message
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
      const asked = payloadOf({ ...job, room })
      const isSentOnceNow = this.#socket.connected && asked.idempotencyKey === undefined
      // What waits, or may be sent again, must not change with whatever the program goes on to write into its data.
      const payload = isSentOnceNow ? asked : structuredClone(asked)
      const timer = setTimeout(() => this.#tooLate(waiting), this.#options.answerMs ?? 30_000)
      const waiting: Waiting = { payload, timer, resolve, reject, wasSent: false }
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
      if (!answer.ok && answer.problem.code === beingStopped)
        return this.#refusedByLast(waiting, answer.problem)
      // Of a job that was given up meanwhile.
      if (!this.#take(waiting)) return
      if (answer.ok) waiting.resolve({ id: answer.id, created: answer.created })
      else waiting.reject(new SubmitRefused(answer.problem))
    })
  }

  /** It was not taken, and this connection is about to end: it waits for the next server, as it would after a crash. */
  #refusedByLast(waiting: Waiting, { detail }: Problem): void {
    waiting.wasSent = false
    this.#trouble = detail
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
    const tokenTrouble = this.#tokenTrouble
    this.#tokenTrouble = null
    this.#trouble = tokenTrouble ?? problem?.detail ?? error.message
    if (tokenTrouble !== null || problem === null || isPassing(problem)) {
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
    const isAsked = this.#socket.connected && waiting.wasSent
    this.#unanswered(waiting, isAsked ? 'the server took too long' : this.#trouble)
  }

  #unanswered(waiting: Waiting, why: string): void {
    if (!this.#take(waiting)) return
    const { wasSent } = waiting
    const what = wasSent ? 'whether it was taken is not known' : 'it was not sent'
    waiting.reject(
      new SubmitUnanswered(`The job has no answer, ${what}: ${why.replace(/\.$/, '')}.`, wasSent),
    )
  }

  #take(waiting: Waiting): boolean {
    clearTimeout(waiting.timer)
    return this.#waiting.delete(waiting)
  }
}

/** As it is sent; refused here where the server would cut the connection instead of answering. */
function payloadOf(job: Payload): Payload {
  const { value, bytes } = asJson(job, 'The job')
  // A letter has at most three bytes; most jobs are far below the limit and need not be counted.
  if (bytes * 3 > messageMaxBytes) {
    const exact = Buffer.byteLength(JSON.stringify(value))
    if (exact > messageMaxBytes - envelopeBytes) throw new SubmitRefused(tooLarge(exact))
  }
  return value as Payload
}

function tooLarge(bytes: number): Problem {
  const detail = `A job on a connection has at most ${messageMaxBytes} bytes; this one has ${bytes}. Submit it by REST.`
  const code = 'json_too_large'
  const title = 'The value is larger than its limit.'
  return { type: `urn:millrace:problem:${code}`, title, status: 413, code, detail }
}
