// Those who submit and cancel jobs, through whichever replica answers. What was not answered is sent again under its
// key; what was answered is held against the server.

import { isRefusal, type JobId } from '@millrace/domain'
import { cancelJob, openRoom, StoreUnavailable, submitToExtension } from '@millrace/server'
import type { SimulatedReplica } from './simulated-replica.ts'
import { Life } from './virtual-clock.ts'
import { everybody, extensions, type World } from './world.ts'

export interface SubmitOrder {
  readonly room: string
  readonly extension: number
  readonly count: number
  /** Orders without keys are sent once: nobody could tell a second job from the first. */
  readonly key: string | null
  readonly priority: number
  readonly notBefore: number | null
}

/** A call to a replica as its caller sees it. */
type Heard<Value> = { readonly value: Value } | { readonly refused: string } | 'no answer'

const answerMs = 15_000
const againMs = 1_000
const cancelTries = 5

export class SimulatedClient {
  readonly #world: World
  readonly #replicas: readonly SimulatedReplica[]
  readonly #life = new Life('client')
  readonly #acknowledged = new Map<JobId, string>()
  readonly #cancelled = new Set<JobId>()
  readonly #idsOfKey = new Map<string, string>()
  #open = 0

  constructor(world: World, replicas: readonly SimulatedReplica[]) {
    this.#world = world
    this.#replicas = replicas
  }

  get life(): Life {
    return this.#life
  }

  /** Jobs whose submit was answered, and their rooms. */
  get acknowledged(): ReadonlyMap<JobId, string> {
    return this.#acknowledged
  }

  /** Jobs that had not ended when their cancel was answered. */
  get cancelled(): ReadonlySet<JobId> {
    return this.#cancelled
  }

  /** Whether nothing waits for an answer. */
  get isContent(): boolean {
    return this.#open === 0
  }

  submit(order: SubmitOrder): void {
    this.#open += 1
    this.#trySubmit(order)
  }

  /** Any job whose submit was answered; none before the first. */
  cancelOne(): void {
    const ids = [...this.#acknowledged.keys()]
    if (ids.length === 0) return
    const id = this.#world.dice.pick(ids)
    this.#open += 1
    this.#tryCancel(id, cancelTries)
  }

  #trySubmit(order: SubmitOrder): void {
    this.#ask<readonly JobId[]>(
      (replica) => submitTo(replica, order),
      (heard) => {
        if (heard !== 'no answer' && 'value' in heard) this.#submitted(order, heard.value)
        else if (order.key !== null) this.#again(() => this.#trySubmit(order))
        else this.#open -= 1
      },
    )
  }

  #submitted({ room, key }: SubmitOrder, ids: readonly JobId[]): void {
    this.#open -= 1
    const { trace, problem } = this.#world
    trace.note('client', `heard that ${ids.join(' ')} are submitted to ${room}`)
    for (const id of ids) this.#acknowledged.set(id, room)
    if (key === null) return
    const before = this.#idsOfKey.get(key)
    if (before !== undefined && before !== ids.join())
      problem(`key ${key} stands for ${before} and for ${ids}`)
    this.#idsOfKey.set(key, ids.join())
  }

  #tryCancel(id: JobId, triesLeft: number): void {
    const room = this.#acknowledged.get(id) ?? ''
    const { bug, trace } = this.#world
    this.#ask<string>(
      (replica) => (bug.ignoresCancels ? Promise.resolve({ value: 'running' }) : cancelAt(replica, room, id)),
      (heard) => {
        if (heard !== 'no answer' && 'value' in heard) {
          this.#open -= 1
          this.#cancelled.add(id)
          trace.note('client', `heard that the cancel of ${id} is taken, ${heard.value}`)
        } else if ((heard === 'no answer' || heard.refused === 'store_unavailable') && triesLeft > 1)
          this.#again(() => this.#tryCancel(id, triesLeft - 1))
        else this.#open -= 1
      },
    )
  }

  #again(run: () => void): void {
    this.#world.clock.after(this.#life, againMs, run)
  }

  /** Over a network that takes its time and now and then loses an answer. One call, one answer. */
  #ask<Value>(
    call: (replica: SimulatedReplica) => Promise<Heard<Value>>,
    heard: (answer: Heard<Value>) => void,
  ): void {
    const { clock, dice } = this.#world
    const replica = dice.pick(this.#replicas)
    let isOver = false
    const hear = (answer: Heard<Value>): void => {
      if (isOver) return
      isOver = true
      heard(answer)
    }
    const patience = clock.after(this.#life, answerMs, () => hear('no answer'))
    const back = (answer: Heard<Value>): void => {
      if (dice.chance(0.03)) return
      clock.after(this.#life, dice.between(0, 40), () => {
        patience.cancelled = true
        hear(answer)
      })
    }
    if (replica.parts === null) back({ refused: 'nobody listens' })
    else
      clock.after(replica.life, dice.between(0, 40), () => {
        call(replica).then(back, (fault: unknown) => {
          if (!(fault instanceof StoreUnavailable)) this.#world.problem(`a request failed: ${fault}`)
          back({ refused: 'store_unavailable' })
        })
      })
  }
}

async function submitTo(
  replica: SimulatedReplica,
  { room, extension, count, key, priority, notBefore }: SubmitOrder,
): Promise<Heard<readonly JobId[]>> {
  const { parts } = replica
  if (!parts) return { refused: 'nobody listens' }
  const entered = await openRoom(parts.rooms, room, everybody, 'submit')
  if (isRefusal(entered)) return entered
  const { category, name } = extensions[extension] ?? { category: '', name: '' }
  const requests = Array.from({ length: count }, (_, n) => ({
    data: { n },
    priority,
    ...(notBefore !== null && { notBefore }),
    ...(key !== null && { idempotencyKey: `${key}.${n}` }),
  }))
  const answer = await submitToExtension(
    parts.submitting,
    everybody,
    entered,
    { category, name },
    {
      requests,
      bodyBytes: 100,
    },
  )
  if (isRefusal(answer)) return answer
  return 'jobs' in answer ? { value: answer.jobs.map(({ id }) => id) } : { refused: 'no jobs' }
}

async function cancelAt(replica: SimulatedReplica, room: string, id: JobId): Promise<Heard<string>> {
  const { parts } = replica
  if (!parts) return { refused: 'nobody listens' }
  const entered = await openRoom(parts.rooms, room, everybody, 'read')
  if (isRefusal(entered)) return entered
  const job = await cancelJob(parts.reports, entered, everybody, id)
  return isRefusal(job) ? job : { value: job.status }
}
