// Writes down what the store really took, and checks it at once: one end for each job, one worker for each attempt, no
// write by a superseded one, no limit exceeded, no lease ended before its time. It keeps its own account and asks the
// store nothing.

import { isTerminal, type Job } from '@millrace/domain'
import {
  type Change,
  type Claim,
  type Committed,
  jobOfRecord,
  type StoredRecord,
  workerOfRecord,
} from '@millrace/server'
import { jobProblems } from './job-rules.ts'

/** Who wrote, and since when it may judge the silence of workers. */
export interface Writer {
  readonly name: string
  readonly mayLoseFrom: () => number
}

export interface LedgerOptions {
  readonly now: () => number
  readonly note: (who: string, what: string) => void
  readonly onProblem: (problem: string) => void
  /** By room, and by room and queue. */
  readonly limitOf: (room: string, counter: string) => number | null
  /** Whether a worker has been connected and answering for longer than any lease lasts. */
  readonly isWell: (worker: string) => boolean
}

interface Account {
  revision: number
  sequence: number
  active: number
  readonly counters: Map<string, number>
}

export class Ledger {
  readonly #options: LedgerOptions
  readonly #accounts = new Map<string, Account>()
  readonly #records = new Map<string, StoredRecord>()
  readonly #jobs = new Map<string, Job>()
  readonly #results = new Map<string, string>()
  readonly #workerOf = new Map<string, string>()
  #lastEventAt = 0

  constructor(options: LedgerOptions) {
    this.#options = options
  }

  get jobs(): ReadonlyMap<string, Job> {
    return this.#jobs
  }

  get results(): ReadonlyMap<string, string> {
    return this.#results
  }

  get partitions(): readonly string[] {
    return [...this.#accounts.keys()]
  }

  get lastEventAt(): number {
    return this.#lastEventAt
  }

  sequenceOf(partition: string): number {
    return this.#account(partition).sequence
  }

  countersOf(partition: string): ReadonlyMap<string, number> {
    return this.#account(partition).counters
  }

  committed(by: Writer, change: Change, { revision, sequence }: Committed): void {
    const account = this.#account(change.partition)
    // Sent again under its id: it happened before.
    if (revision <= account.revision) return
    account.revision = revision
    this.#told(account, sequence)
    for (const put of change.put ?? []) {
      const place = `${change.partition} ${put.key}`
      const body = put.body ?? this.#records.get(place)?.body ?? ''
      const attempt = put.attempt ?? null
      this.#wrote(by, {
        partition: change.partition,
        key: put.key,
        version: revision,
        head: put.head,
        attempt,
        body,
      })
    }
    for (const key of change.remove ?? []) this.#records.delete(`${change.partition} ${key}`)
    this.#count(change.partition, change.add ?? {}, 1)
    this.#checkCounters(change.partition)
  }

  claimed(by: Writer, claim: Claim, records: readonly StoredRecord[]): void {
    const account = this.#account(claim.partition)
    const [first] = records
    if (!first || first.version <= account.revision) return
    account.revision = first.version
    this.#told(account, account.sequence + records.length)
    for (const record of records) this.#assigned(by, record)
    this.#count(claim.partition, claim.add ?? {}, records.length)
    this.#checkCounters(claim.partition)
    for (const counter of Object.keys(claim.add ?? {})) this.#checkLimit(claim.partition, counter)
  }

  #told(account: Account, sequence: number): void {
    if (sequence > account.sequence) this.#lastEventAt = this.#options.now()
    account.sequence = sequence
  }

  #assigned(by: Writer, record: StoredRecord): void {
    const job = jobOfRecord(record)
    const { id } = job.submission
    const before = this.#jobs.get(id)
    const { token, worker } = job.attempt ?? { token: '', worker: '' }
    this.#options.note(by.name, `job ${id} assigned to ${worker} as ${token}`)
    if (before?.status !== 'pending' || before.attempt)
      this.#problem(`job ${id} was claimed while ${before?.status}`)
    const other = this.#workerOf.get(token)
    if (other !== undefined) this.#problem(`attempt ${token} belongs to ${other} and to ${worker}`)
    this.#workerOf.set(token, worker)
    this.#keep(record, job)
  }

  #wrote(by: Writer, record: StoredRecord): void {
    const [kind = '', id = ''] = splitKey(record.key)
    if (kind === 'result') this.#results.set(id, record.body)
    if (kind === 'worker') this.#wroteWorker(by, id, record)
    if (kind === 'job') {
      const job = jobOfRecord(record)
      if (job.result !== undefined) this.#results.set(id, job.result)
      const before = this.#jobs.get(id) ?? null
      this.#options.note(by.name, `job ${id} ${job.status}${lastOutcome(before, job)}`)
      for (const problem of jobProblems(before, job)) this.#problem(`job ${id}: ${problem}`)
      this.#keep(record, job)
    }
    this.#records.set(`${record.partition} ${record.key}`, record)
  }

  #wroteWorker(by: Writer, id: string, record: StoredRecord): void {
    const known = this.#records.get(`${record.partition} ${record.key}`)
    const before = known ? workerOfRecord(known).worker.lease.presence : 'new'
    const { presence } = workerOfRecord(record).worker.lease
    if (before === presence) return
    this.#options.note(by.name, `worker ${id} ${before} → ${presence}`)
    if (presence !== 'lost') return
    const early = by.mayLoseFrom() - this.#options.now()
    if (early > 0) this.#problem(`${by.name} lost worker ${id} ${early} ms before the grace was over`)
    if (this.#options.isWell(id)) this.#problem(`${by.name} lost worker ${id}, which answers every beat`)
  }

  #keep(record: StoredRecord, job: Job): void {
    const account = this.#account(record.partition)
    const { id } = job.submission
    account.active += Number(isActive(job)) - Number(isActive(this.#jobs.get(id) ?? null))
    this.#jobs.set(id, job)
    this.#records.set(`${record.partition} ${record.key}`, record)
  }

  #count(partition: string, add: Readonly<Record<string, number>>, times: number): void {
    const { counters } = this.#account(partition)
    for (const [name, amount] of Object.entries(add)) {
      const value = (counters.get(name) ?? 0) + amount * times
      if (value === 0) counters.delete(name)
      else counters.set(name, value)
      if (value < 0) this.#problem(`counter ${name} of ${partition} fell to ${value}`)
    }
  }

  #checkCounters(partition: string): void {
    const { counters, active } = this.#account(partition)
    const running = counters.get('running') ?? 0
    if (running !== active) this.#problem(`${partition} counts ${running} running jobs and has ${active}`)
  }

  #checkLimit(partition: string, counter: string): void {
    const value = this.#account(partition).counters.get(counter) ?? 0
    const limit = this.#options.limitOf(partition, counter)
    if (limit !== null && value > limit)
      this.#problem(`${counter} of ${partition} is ${value}, limit ${limit}`)
  }

  #account(partition: string): Account {
    const known = this.#accounts.get(partition)
    if (known) return known
    const fresh: Account = { revision: 0, sequence: 0, active: 0, counters: new Map() }
    this.#accounts.set(partition, fresh)
    return fresh
  }

  #problem(problem: string): void {
    this.#options.onProblem(problem)
  }
}

function isActive(job: Job | null): boolean {
  return job?.status === 'assigned' || job?.status === 'running'
}

function lastOutcome(before: Job | null, { ended, cancel, status }: Job): string {
  const fresh = ended.length > (before?.ended.length ?? 0) ? ended.at(-1) : undefined
  const stage = cancel && cancel.stage !== before?.cancel?.stage ? `, cancel ${cancel.stage}` : ''
  const outcome = fresh ? ` after ${fresh.token} ${fresh.outcome}` : ''
  return `${outcome}${stage}${isTerminal(status) ? '.' : ''}`
}

function splitKey(key: string): readonly [string, string] {
  const slash = key.indexOf('/')
  return [key.slice(0, slash), key.slice(slash + 1)]
}
