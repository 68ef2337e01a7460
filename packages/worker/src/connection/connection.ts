// The one connection of a worker to its server: it comes back by itself, registers anew each time, and hands on what the
// server says. It knows nothing about jobs.

import type {
  AnswerOf,
  AssignedJob,
  Beat,
  Problem,
  RegisteredView,
  Registration,
  serverEvents,
} from '@millrace/protocol'
import type { Socket } from 'socket.io-client'
import type { CancelOrder } from '../job/job-pipeline.ts'
import type { LockWire } from '../lock/lock-line.ts'
import type { Line, MessageAnswer } from '../report/post.ts'
import { isPassing } from '../report/verdict.ts'
import { WorkerError, WorkerRefused } from '../worker-error.ts'
import { Backoff } from './backoff.ts'
import { dial, problemIn, reconnectMs, type Token } from './dial.ts'

export interface ConnectionHooks {
  registration(): Registration
  /** The server knows the worker; reports and questions about locks go this way until the connection is lost. */
  registered(view: RegisteredView, line: Line, locks: LockWire): void
  assigned(jobs: readonly AssignedJob[]): void
  cancel(orders: readonly CancelOrder[]): void
  beat(): Beat
  lost(reason: string): void
  /** Something went wrong that the connection goes on from. */
  trouble(error: Error): void
}

type RegisterAnswer = AnswerOf<typeof serverEvents.extensionRegister>

/** A server that is busy starting may take a while; one that takes longer is not going to answer. */
const registerMs = 20_000
const answerMs = 30_000
const unregisterMs = 5_000
/** An earlier life of this worker is just being put to rest; a moment later it may begin anew. */
const beingLost = 'worker_lost'

export class Connection {
  readonly #url: string
  readonly #hooks: ConnectionHooks
  readonly #socket: Socket
  readonly #backoff = new Backoff(reconnectMs)
  #opening: { readonly resolve: () => void; readonly reject: (error: Error) => void } | null = null
  #isRegistered = false
  /** Of the registration under way: an answer to an earlier one is about a connection that is no more. */
  #round = 0
  /** Jobs may be pushed before the answer to the registration is here; without it they could not be taken. */
  #early: AssignedJob[] = []
  #isTrouble = false

  constructor(url: string, token: Token | undefined, hooks: ConnectionHooks) {
    this.#url = url
    this.#hooks = hooks
    this.#socket = dial(url, token, (error) => hooks.trouble(error))
    this.#listen(this.#socket)
  }

  /** Resolves when the server has registered the worker; rejects when it refuses it for good. */
  open(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#opening = { resolve, reject }
      this.#socket.connect()
    })
  }

  /** The server has forgotten the worker, although the connection stands. */
  registerAgain(): void {
    if (!this.#isRegistered) return
    this.#lose('the server no longer knows this worker')
    this.#tryLater()
  }

  /** No more jobs, please. */
  async unregister(): Promise<void> {
    if (!this.#isRegistered) return
    await new Promise<void>((resolve) => {
      this.#socket.timeout(unregisterMs).emit('extension:unregister', {}, () => resolve())
    })
  }

  close(): void {
    this.#backoff.stop()
    this.#socket.disconnect()
    this.#lose('closed')
    this.#opening?.reject(new WorkerError('The worker was stopped before the server had registered it.'))
    this.#opening = null
  }

  #listen(socket: Socket): void {
    socket.on('connect', () => {
      this.#backoff.stop()
      this.#register()
    })
    socket.on('connect_error', (error: Error) => this.#notConnected(error))
    socket.on('disconnect', (reason) => {
      this.#lose(reason)
      // The client comes back from a broken connection by itself, but not when the server has shown it the door.
      if (!socket.active && reason !== 'io client disconnect') this.#tryLater()
    })
    socket.on('job:assigned', (jobs: readonly AssignedJob[]) => {
      if (this.#isRegistered) this.#hooks.assigned(jobs)
      else this.#early.push(...jobs)
    })
    socket.on('job:cancel', (orders: readonly CancelOrder[]) => this.#hooks.cancel(orders))
    socket.on('worker:beat', (_payload: unknown, answer?: (beat: Beat) => void) => {
      answer?.(this.#hooks.beat())
    })
  }

  #register(): void {
    this.#round += 1
    const round = this.#round
    this.#early = []
    this.#socket
      .timeout(registerMs)
      .emit(
        'extension:register',
        this.#hooks.registration(),
        (error: Error | null, answer: RegisterAnswer) => {
          if (round !== this.#round || !this.#socket.connected) return
          if (error) this.#reconnect(new WorkerError('The server does not answer the registration.'))
          else if (answer.ok) this.#registered(answer)
          else this.#refused(answer.problem)
        },
      )
  }

  #registered(view: RegisteredView): void {
    this.#isRegistered = true
    this.#isTrouble = false
    this.#backoff.reset()
    this.#hooks.registered(view, this.#line(), this.#lockWire())
    if (this.#early.length > 0) this.#hooks.assigned(this.#early.splice(0))
    this.#opening?.resolve()
    this.#opening = null
  }

  /** Of use as long as this registration is. */
  #line(): Line {
    return (event, entries, answered) => {
      this.#socket
        .timeout(answerMs)
        .emit(event, entries, (error: Error | null, answer: MessageAnswer) => answered(error ? null : answer))
    }
  }

  #lockWire(): LockWire {
    return ({ event, payload }, answered) => {
      this.#socket
        .timeout(answerMs)
        .emit(event, payload, (error: Error | null, answer: Parameters<typeof answered>[0]) =>
          answered(error ? null : answer),
        )
    }
  }

  #notConnected(error: Error): void {
    const problem = problemIn(error)
    if (problem) {
      this.#refused(problem)
      return
    }
    if (!this.#isTrouble) {
      this.#hooks.trouble(new WorkerError(`Cannot reach ${this.#url} (${error.message}); trying again.`))
    }
    this.#isTrouble = true
    if (!this.#socket.active) this.#tryLater()
  }

  #refused(problem: Problem): void {
    const error = new WorkerRefused(problem)
    const opening = this.#opening
    if (opening && !isPassing(problem) && problem.code !== beingLost) {
      this.#opening = null
      this.close()
      opening.reject(error)
      return
    }
    this.#hooks.trouble(error)
    this.#tryLater()
  }

  #reconnect(error: WorkerError): void {
    this.#hooks.trouble(error)
    this.#socket.disconnect()
    this.#tryLater()
  }

  /** Goes on from wherever it stands by then: the connection may have come or gone meanwhile. */
  #tryLater(): void {
    this.#backoff.wait(() => {
      if (!this.#socket.connected) this.#socket.connect()
      else if (!this.#isRegistered) this.#register()
    })
  }

  #lose(reason: string): void {
    this.#round += 1
    if (!this.#isRegistered) return
    this.#isRegistered = false
    this.#hooks.lost(reason)
  }
}
