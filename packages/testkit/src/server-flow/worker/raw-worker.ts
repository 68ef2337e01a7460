// A worker that does only what the test tells it to, over a bare socket.

import type { AssignedJob, RegisteredView, Registration, ReportAnswer } from '@millrace/protocol'
import type { Socket } from 'socket.io-client'
import { type CheckedClient, tell } from '../checked-client.ts'
import { Inbox } from '../inbox.ts'
import { checkEvent } from '../wire-check.ts'

export interface RawOffer {
  readonly room?: string
  readonly scope?: 'room' | 'global' | 'builtin'
  readonly category?: string
  readonly name?: string
  readonly schema?: Record<string, unknown>
  readonly policy?: Record<string, unknown>
}

export interface RawOptions {
  readonly id: string
  readonly kind?: 'pool'
  readonly slots?: number
  readonly ahead?: number
  readonly attempts?: readonly AttemptName[]
}

export type AttemptName = Pick<AssignedJob, 'id' | 'room' | 'token'>

export interface StopOrder {
  readonly room: string
  readonly job: string
  readonly token: string
  readonly how: string
}

type Registered = RegisteredView & { readonly ok: true }

export function registrationOf(
  { id, kind, slots = 1, ahead, attempts = [] }: RawOptions,
  offers: readonly RawOffer[],
): Registration {
  return {
    worker: {
      id,
      offers: { slots },
      attempts: attempts.map(refOf),
      ...(kind && { kind }),
      ...(ahead !== undefined && { ahead }),
    },
    extensions: offers.map(({ category = 'modifiers', name = 'Relax', schema = {}, ...rest }) => ({
      ...rest,
      category,
      name,
      schema: { type: 'object', ...schema },
    })),
  }
}

export class RawWorker {
  readonly id: string
  readonly socket: Socket
  readonly assigned: Inbox<AssignedJob> = new Inbox()
  readonly cancels: Inbox<StopOrder> = new Inbox()
  readonly beats: Inbox<number> = new Inbox()
  view: RegisteredView | null = null
  /** What it says it runs when it is asked. */
  running: readonly AttemptName[] = []

  private constructor(id: string, socket: Socket) {
    this.id = id
    this.socket = socket
    socket.onAny((event: string, payload: unknown) => checkEvent(event, payload))
    socket.on('job:assigned', (jobs: readonly AssignedJob[]) => {
      for (const job of jobs) this.assigned.push(job)
    })
    socket.on('job:cancel', (orders: readonly StopOrder[]) => {
      for (const order of orders) this.cancels.push(order)
    })
    socket.on('worker:beat', (_payload: unknown, answer: (beat: unknown) => void) => {
      answer({ running: this.running.map(refOf), free: 1 })
      this.beats.push(this.beats.all.length)
    })
  }

  static async connect(
    client: CheckedClient,
    options: RawOptions,
    offers: readonly RawOffer[],
  ): Promise<RawWorker> {
    const worker = new RawWorker(options.id, await client.socket())
    worker.view = await worker.register(options, offers)
    return worker
  }

  async register(options: RawOptions, offers: readonly RawOffer[]): Promise<RegisteredView> {
    const answer = await tell<Registered | { ok: false; problem: unknown }>(
      this.socket,
      'extension:register',
      registrationOf(options, offers),
    )
    if (!answer.ok) throw new Error(JSON.stringify(answer))
    return answer
  }

  started(job: AttemptName): Promise<string> {
    return this.#report('job:started', job)
  }

  rejected(job: AttemptName, reason: string): Promise<string> {
    return this.#report('job:rejected', job, { reason })
  }

  progress(job: AttemptName, fraction: number, message: string): Promise<string> {
    return this.#report('job:progress', job, { fraction, message })
  }

  log(job: AttemptName, ...lines: readonly string[]): Promise<string> {
    return this.#report('job:log', job, { lines })
  }

  /** Numbered from `first` on, as a worker does that may have to say them again. */
  logFrom(job: AttemptName, first: number, ...lines: readonly string[]): Promise<string> {
    return this.#report('job:log', job, { lines, first })
  }

  completed(job: AttemptName, result: unknown = {}): Promise<string> {
    return this.#report('job:completed', job, { result, started: true })
  }

  failed(job: AttemptName, message: string, retryable = true): Promise<string> {
    return this.#report('job:failed', job, { error: { message }, retryable, started: true })
  }

  /** The status that was acknowledged, or the code of the problem. */
  async #report(event: string, job: AttemptName, more: Record<string, unknown> = {}): Promise<string> {
    type Answer = { ok: true; answers: readonly ReportAnswer[] } | { ok: false; problem: { code: string } }
    const answer = await tell<Answer>(this.socket, event, [{ ...refOf(job), ...more }])
    if (!answer.ok) return answer.problem.code
    const [one] = answer.answers
    if (!one) throw new Error(`${event} was acknowledged without an answer`)
    return 'problem' in one ? one.problem.code : one.status
  }

  /** Takes whatever it is given and completes it, until it is closed. */
  work(onDone: (job: AssignedJob) => void = () => undefined): void {
    const one = async (): Promise<void> => {
      const job = await this.assigned.next()
      await this.completed(job, { by: this.id })
      onDone(job)
      return one()
    }
    one().catch((fault: unknown) => {
      if (this.socket.connected) throw fault
    })
  }

  close(): void {
    this.socket.close()
  }
}

export function refOf({ room, id, token }: AttemptName): { room: string; job: string; token: string } {
  return { room, job: id, token }
}
