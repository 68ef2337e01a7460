// A worker as the SDK makes them, in virtual time: it connects to any replica, registers under its own id with what it
// still has, runs handlers, and repeats its reports until they are acknowledged. It can die, be stopped and come back.

import type { AttemptToken, Job } from '@millrace/domain'
import type { Reported, StopOrder } from '@millrace/server'
import type { Link } from '../link.ts'
import { type Answer, type Registered, type ReplicaDoor, unavailable } from '../replica-door.ts'
import type { SimulatedReplica } from '../simulated-replica.ts'
import { Life } from '../virtual-clock.ts'
import type { World } from '../world.ts'
import { WorkerHands } from './worker-hands.ts'
import { type OutboxReport, WorkerOutbox } from './worker-outbox.ts'

const registerMs = 20_000
const answerMs = 30_000
const againMs = 1_000
const reconnectMs = { first: 250, last: 5_000 }

const goneCodes: ReadonlySet<string> = new Set(['attempt_superseded', 'job_ended', 'job_not_found'])

interface Connection {
  readonly link: Link
  readonly door: ReplicaDoor
  readonly replica: SimulatedReplica
  isRegistered: boolean
  /** Jobs may be pushed before the answer to the registration is here. */
  readonly early: Job[]
}

export class SimulatedWorker {
  readonly id: string
  readonly slots: number
  readonly #world: World
  readonly #replicas: readonly SimulatedReplica[]
  readonly #outbox = new WorkerOutbox()
  #life: Life = new Life('unborn')
  #hands: WorkerHands
  #connection: Connection | null = null
  #tries = 0
  #retryArranged = false
  #lives = 0
  /** Since when nothing has disturbed it, its replica or the line between them. */
  #wellSince = Number.POSITIVE_INFINITY

  constructor(world: World, id: string, slots: number, replicas: readonly SimulatedReplica[]) {
    this.#world = world
    this.id = id
    this.slots = slots
    this.#replicas = replicas
    this.#life.state = 'over'
    this.#hands = this.#newHands()
  }

  get life(): Life {
    return this.#life
  }

  get replica(): SimulatedReplica | null {
    return this.#connection?.replica ?? null
  }

  get wellSince(): number {
    return this.#connection?.isRegistered ? this.#wellSince : Number.POSITIVE_INFINITY
  }

  /** Nothing is expected of it until then, or until it is registered anew. */
  disturbed(until: number): void {
    this.#wellSince = Math.max(this.#wellSince, until)
  }

  /** Registered, with nothing to do and nothing to tell. */
  get isIdle(): boolean {
    const registered = this.#life.state === 'up' && this.#connection?.isRegistered === true
    return registered && this.#outbox.isEmpty && this.#hands.isIdle
  }

  start(): void {
    if (this.#life.state !== 'over') return
    this.#lives += 1
    this.#life = new Life(`${this.id}.${this.#lives}`)
    this.#hands = this.#newHands()
    this.#tries = 0
    this.#retryArranged = false
    this.#note('starts')
    this.#world.clock.after(this.#life, 0, () => this.#connect())
  }

  /** What it ran and had to tell is gone. `silently`: nobody resets its connection. */
  crash(silently: boolean): void {
    if (this.#life.state === 'over') return
    this.#note(silently ? 'vanishes' : 'crashes')
    const { clock } = this.#world
    clock.end(this.#life)
    const link = this.#connection?.link
    this.#connection = null
    this.#outbox.clear()
    if (silently) link?.fallSilent()
    else link?.break()
  }

  breakLink(silently: boolean): void {
    this.#note(silently ? 'is half-open' : 'is cut off')
    this.disturbed(Number.POSITIVE_INFINITY)
    const link = this.#connection?.link
    if (silently) link?.fallSilent()
    else link?.break()
  }

  #connect(): void {
    const replica = this.#world.dice.pick(this.#replicas)
    const ears = { assigned: (jobs: readonly Job[]) => this.#assigned(jobs), stop: this.#stop }
    const opened = replica.connect(this.#life, ears)
    if (!opened) {
      this.#later(() => this.#connect())
      return
    }
    const connection: Connection = { ...opened, replica, isRegistered: false, early: [] }
    this.#connection = connection
    opened.link.onClosed('worker', () => this.#lost(connection))
    this.#register(connection)
  }

  #register(connection: Connection): void {
    const { clock } = this.#world
    const { link, door } = connection
    const attempts = this.#hands.names()
    let answered = false
    link.send('server', () =>
      door.register(this.id, this.slots, attempts, (answer) => {
        answered = true
        if (connection === this.#connection) this.#registered(connection, answer)
      }),
    )
    clock.after(this.#life, registerMs, () => {
      if (!answered) link.close('worker')
    })
  }

  #registered(connection: Connection, answer: Answer<Registered>): void {
    if ('refused' in answer) {
      this.#note(`is refused: ${answer.refused}`)
      this.#later(() => {
        if (connection === this.#connection) this.#register(connection)
      })
      return
    }
    this.#note(`is registered at ${connection.replica.name}`)
    this.#tries = 0
    this.#wellSince = this.#world.clock.now
    connection.isRegistered = true
    for (const { token } of answer.value.dropped) this.#drop(token as AttemptToken)
    if (connection.early.length > 0) this.#assigned(connection.early.splice(0))
    this.#flushSoon()
  }

  #lost(connection: Connection): void {
    if (connection !== this.#connection) return
    this.#note('lost its connection')
    this.#connection = null
    this.#outbox.putBack()
    this.#later(() => this.#connect())
  }

  #later(run: () => void): void {
    const { clock, dice } = this.#world
    const longest = Math.min(reconnectMs.last, reconnectMs.first * 2 ** this.#tries)
    this.#tries += 1
    clock.after(this.#life, dice.between(Math.floor(longest / 2), longest), run)
  }

  #assigned(jobs: readonly Job[]): void {
    const connection = this.#connection
    if (connection && !connection.isRegistered) connection.early.push(...jobs)
    else for (const job of jobs) this.#hands.take(job)
  }

  readonly #stop = (orders: readonly StopOrder[]): void => {
    for (const order of orders) this.#hands.stop(order)
  }

  #newHands(): WorkerHands {
    return new WorkerHands({
      world: this.#world,
      worker: this.id,
      slots: this.slots,
      life: this.#life,
      report: (report) => {
        this.#outbox.add(report)
        this.#flushSoon()
      },
    })
  }

  #flushSoon(): void {
    if (!this.#retryArranged) this.#world.clock.after(this.#life, 1, () => this.#flush())
  }

  #flush(): void {
    const connection = this.#connection
    if (!connection?.isRegistered || !this.#outbox.hasWaiting) return
    const message = this.#outbox.take()
    const { link, door } = connection
    link.send('server', () => door.report(message, (answer) => this.#answered(message, answer)))
    this.#world.clock.after(this.#life, answerMs, () => this.#unanswered(message))
  }

  #unanswered(message: readonly OutboxReport[]): void {
    this.#outbox.putBack([message])
    if (this.#outbox.hasWaiting) this.#again()
  }

  #answered(message: readonly OutboxReport[], answer: Answer<readonly Reported[]>): void {
    if ('refused' in answer) {
      this.#unanswered(message)
      return
    }
    if (!this.#outbox.settle(message)) return
    for (const [at, report] of message.entries()) this.#read(report, answer.value[at])
  }

  #read(report: OutboxReport, answer: Reported | undefined): void {
    const { token, isLast } = report
    if (answer === undefined) this.#outbox.add(report)
    else if (!('refused' in answer)) {
      if (isLast) this.#hands.heard(token)
    } else if (answer.refused === unavailable) this.#outbox.add(report)
    else if (isLast || goneCodes.has(answer.refused)) this.#drop(token)
  }

  #again(): void {
    if (this.#retryArranged) return
    this.#retryArranged = true
    const life = this.#life
    this.#world.clock.after(life, againMs, () => {
      this.#retryArranged = false
      this.#flush()
    })
  }

  #drop(token: AttemptToken): void {
    this.#outbox.drop(token)
    this.#hands.drop(token)
  }

  #note(what: string): void {
    this.#world.trace.note(this.id, what)
  }
}
