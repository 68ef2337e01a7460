// Clients that submit single jobs and many at once, in several rooms and through either server, under keys, and send
// again whatever was not answered; some of them cancel. What they were told stands in a ledger of their own.

import { setTimeout as pause } from 'node:timers/promises'
import type { ApiClient } from '../../server/api-client.ts'
import type { Dice } from '../seeded-dice.ts'
import { type ChaosData, category } from '../worker/chaos-extension.ts'
import { Ledger } from '../worker/ledger.ts'

export interface Work {
  readonly extension: string
  /** How often it is chosen, against the others. */
  readonly weight: number
  readonly leastMs: number
  readonly mostMs: number
  readonly failures?: number
  /** Its jobs want the lock of their room. */
  readonly locks?: boolean
}

export interface LoadShape {
  readonly clients: number
  readonly works: readonly Work[]
  /** Between one submit of a client and its next. */
  readonly leastPauseMs: number
  readonly mostPauseMs: number
  readonly bulkShare: number
  readonly cancelShare: number
}

export type ClientLine =
  /** Before it is sent for the first time: what comes of it must be counted even if nobody heard an answer. */
  | { readonly step: 'submit'; readonly at: number; readonly key: string; readonly room: string }
  | {
      readonly step: 'acknowledged'
      readonly at: number
      readonly key: string
      readonly room: string
      readonly job: string
      readonly created: boolean
    }
  | { readonly step: 'cancel'; readonly at: number; readonly room: string; readonly job: string }

/** An answer that takes longer is taken for lost. */
const answerMs = 4_000
const sendAgainMs = 200

export class Load {
  readonly #clients: readonly ApiClient[]
  readonly #rooms: readonly string[]
  readonly #shape: LoadShape
  readonly #ledger: Ledger<ClientLine>
  #working: Promise<unknown> = Promise.resolve()
  #isOver = false
  #count = 0
  #acknowledged = 0

  constructor(clients: readonly ApiClient[], rooms: readonly string[], shape: LoadShape, ledgerFile: string) {
    this.#clients = clients
    this.#rooms = rooms
    this.#shape = shape
    this.#ledger = new Ledger(ledgerFile)
  }

  start(dice: Dice): void {
    const lanes = Array.from({ length: this.#shape.clients }, () => this.#client(dice.fork()))
    this.#working = Promise.all(lanes)
  }

  /** How many submits were acknowledged so far. */
  get acknowledged(): number {
    return this.#acknowledged
  }

  /** No new submits; resolves when everything that was sent has been answered. */
  async finish(): Promise<void> {
    this.#isOver = true
    await this.#working
    this.#ledger.close()
  }

  async #client(dice: Dice): Promise<void> {
    while (!this.#isOver) {
      const room = dice.pick(this.#rooms)
      const count = dice.next() < this.#shape.bulkShare ? dice.whole(2, 12) : 1
      const work = this.#chosen(dice)
      const jobs = Array.from({ length: count }, () => this.#jobOf(work, dice))
      const acknowledged = await this.#submit(room, work, jobs, dice)
      for (const job of acknowledged) {
        if (dice.next() < this.#shape.cancelShare) void this.#cancel(room, job, dice.fork())
      }
      await pause(dice.whole(this.#shape.leastPauseMs, this.#shape.mostPauseMs))
    }
  }

  #chosen(dice: Dice): Work {
    const { works } = this.#shape
    let left = dice.next() * works.reduce((sum, { weight }) => sum + weight, 0)
    const chosen = works.find(({ weight }) => {
      left -= weight
      return left < 0
    })
    return chosen ?? dice.pick(works)
  }

  #jobOf({ leastMs, mostMs, failures, locks }: Work, dice: Dice) {
    const data: ChaosData = {
      ms: dice.whole(leastMs, mostMs),
      ...(failures !== undefined && { failures }),
      ...(locks && { locks }),
    }
    this.#count += 1
    return { data, idempotencyKey: `key-${this.#count}` }
  }

  async #submit(
    room: string,
    { extension }: Work,
    jobs: readonly { readonly data: ChaosData; readonly idempotencyKey: string }[],
    dice: Dice,
  ): Promise<readonly string[]> {
    const at = Date.now()
    for (const { idempotencyKey: key } of jobs) this.#ledger.write({ step: 'submit', at, key, room })
    const many = `/api/rooms/${room}/extensions/global/${category}/${extension}/submit-many`
    const [first] = jobs
    for (;;) {
      const client = dice.pick(this.#clients)
      const answers =
        jobs.length === 1
          ? await send(client, `/api/rooms/${room}/jobs`, { category, extension, ...first })
          : await send(client, many, { jobs })
      if (answers) return this.#acknowledge(room, jobs, answers)
      await pause(sendAgainMs)
    }
  }

  #acknowledge(
    room: string,
    jobs: readonly { readonly idempotencyKey: string }[],
    answers: readonly SubmitAnswer[],
  ): readonly string[] {
    const at = Date.now()
    this.#acknowledged += answers.length
    return answers.map(({ id: job, created }, index) => {
      const key = jobs[index]?.idempotencyKey ?? ''
      this.#ledger.write({ step: 'acknowledged', at, key, room, job, created })
      return job
    })
  }

  /** Once, in some stage of the job's life; whether the answer arrives does not matter. */
  async #cancel(room: string, job: string, dice: Dice): Promise<void> {
    await pause(dice.whole(0, 1_500))
    if (this.#isOver) return
    this.#ledger.write({ step: 'cancel', at: Date.now(), room, job })
    const path = `/api/rooms/${room}/jobs/${job}/cancel`
    const signal = AbortSignal.timeout(answerMs)
    await dice
      .pick(this.#clients)
      .call('POST', path, undefined, signal)
      .catch(() => undefined)
  }
}

interface SubmitAnswer {
  readonly id: string
  readonly created: boolean
}

/** Null when it has to be sent again: no answer, or none that settles it. */
async function send(client: ApiClient, path: string, body: unknown): Promise<readonly SubmitAnswer[] | null> {
  try {
    const signal = AbortSignal.timeout(answerMs)
    type Body = SubmitAnswer & { readonly jobs?: readonly SubmitAnswer[] }
    const answer = await client.call<Body>('POST', path, body, signal)
    return answer.status === 201 ? (answer.body.jobs ?? [answer.body]) : null
  } catch {
    return null
  }
}
