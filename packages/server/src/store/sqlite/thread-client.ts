// The event loop's end of a store thread: requests of one turn go out as one message, answers settle their promises.
// When the thread dies, everything under way fails with the reason, and so does everything later.

import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { StoreUnavailable } from '../../ports/store-unavailable.ts'
import { faultOf } from './answer-of.ts'
import { withItsClass } from './store-file-faults.ts'
import type { ThreadData } from './store-thread.ts'
import type { AnswerGroup, Fault, RequestGroup } from './thread-messages.ts'

// From here on a group is worth sending at once: waiting for the turn's end would leave the thread idle while this one
// prepares more, and then this one idle while the thread writes it all.
const heavy = 64

// For young objects of a store's thread, in MB. What it holds waits for the tables and is old by then whatever the space;
// one as large as the event loop's stays resident after a burst, and was 8 kB of every idle worker.
const youngMb = 8

interface Waiting {
  readonly decode: (answer: unknown) => unknown
  readonly resolve: (answer: unknown) => void
  readonly reject: (fault: Error) => void
}

/** What an answer is read with must not hold the request: it may be large, and it waits as long as a disk takes. */
export interface Encoding<Request> {
  readonly encode: (request: Request) => unknown
  readonly decoderOf: (request: Request) => (answer: unknown) => unknown
}

export class ThreadClient<Request> {
  readonly #thread: Worker
  readonly #now: () => number
  readonly #encoding: Encoding<Request>
  readonly #waiting = new Map<number, Waiting>()
  readonly #exited: Promise<void>
  #outgoing: Request[] = []
  #weight = 0
  #next = 0
  #fault: Error | null = null
  #closing = false
  #tellDeath: (fault: StoreUnavailable) => void = () => undefined

  private constructor(thread: Worker, now: () => number, encoding: Encoding<Request>) {
    this.#thread = thread
    this.#now = now
    this.#encoding = encoding
    this.#exited = new Promise((resolve) => thread.once('exit', () => resolve()))
    thread.once('error', (cause) => this.#fail(asError(cause)))
    thread.once('exit', () => this.#fail(new Error('the store thread has ended')))
  }

  /** Resolves when the thread has its file open; rejects with the thread's own reason otherwise. */
  static async start<Request>(
    data: ThreadData,
    now: () => number,
    encoding: Encoding<Request>,
  ): Promise<ThreadClient<Request>> {
    // The event loop's own space was set when the process began; this is for threads from now on.
    setFlagsFromString(`--max-semi-space-size=${youngMb}`)
    const thread = new Worker(new URL('./store-thread.ts', import.meta.url), { workerData: data })
    const client = new ThreadClient<Request>(thread, now, encoding)
    await new Promise<void>((resolve, reject) => {
      thread.once('message', () => resolve())
      thread.once('error', (fault) => reject(withItsClass(fault)))
    })
    thread.on('message', (groups: readonly AnswerGroup[]) => client.#settle(groups))
    return client
  }

  /** `weight` is about how many records the request writes. */
  ask<Answer>(request: Request, weight = 1): Promise<Answer> {
    if (this.#fault || this.#closing) return Promise.reject(this.#unavailable('the store is closed', false))
    if (this.#outgoing.length === 0) queueMicrotask(() => this.#send())
    this.#outgoing.push(request)
    this.#weight += weight
    const number = this.#next + this.#outgoing.length - 1
    const decode = this.#encoding.decoderOf(request)
    const answer = new Promise<Answer>((resolve, reject) => {
      this.#waiting.set(number, { decode, resolve: resolve as (answer: unknown) => void, reject })
    })
    if (this.#weight >= heavy) this.#send()
    return answer
  }

  /** Told once if the thread ends before it was asked to. */
  onDeath(tell: (fault: StoreUnavailable) => void): void {
    this.#tellDeath = tell
    if (this.#fault) tell(this.#unavailable('the store thread ended', false))
  }

  async close(): Promise<void> {
    if (!this.#closing && !this.#fault) {
      this.#send()
      this.#closing = true
      this.#thread.postMessage('close')
    }
    await this.#exited
  }

  // A group that cannot be sent is refused as one; left in place it would fail every later one with it.
  #send(): void {
    if (this.#outgoing.length === 0) return
    const outgoing = this.#outgoing
    const first = this.#next
    this.#next += outgoing.length
    this.#outgoing = []
    this.#weight = 0
    try {
      const requests = outgoing.map(this.#encoding.encode)
      const group: RequestGroup = { at: this.#now(), first, requests }
      this.#thread.postMessage(group)
    } catch (cause) {
      this.#settle([{ first, answers: outgoing.map(() => faultOf(cause)) }])
    }
  }

  #settle(groups: readonly AnswerGroup[]): void {
    for (const { first, answers } of groups) {
      for (const [index, answer] of answers.entries()) {
        if (!answer) continue
        const waiting = this.#waiting.get(first + index)
        this.#waiting.delete(first + index)
        if (!waiting) continue
        if ('fault' in answer) waiting.reject(refusedBy(answer.fault))
        else waiting.resolve(waiting.decode(answer.value))
      }
    }
  }

  #fail(cause: Error): void {
    if (this.#fault) return
    this.#fault = cause
    for (const { reject } of this.#waiting.values()) reject(this.#unavailable('the store thread ended', true))
    this.#waiting.clear()
    if (!this.#closing) this.#tellDeath(this.#unavailable('the store thread ended', false))
  }

  #unavailable(message: string, outcomeUnknown: boolean): StoreUnavailable {
    return new StoreUnavailable(message, { cause: this.#fault, outcomeUnknown })
  }
}

function asError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause))
}

function refusedBy(cause: Fault): StoreUnavailable {
  return new StoreUnavailable(`the store could not do it: ${cause.message}`, { cause, answered: true })
}
