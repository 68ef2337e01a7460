// Makes the parts of one server and ties them to each other. What they decide stands in their own files.

import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type ExtensionId,
  type ExtensionName,
  isGuestName,
  isRefusal,
  type Job,
  type JobPolicy,
  queueOf,
  registrationRate,
  type Submission,
  type UserRole,
} from '@millrace/domain'
import { AuditKeeper } from './audit/audit-keeper.ts'
import { FailedSignIns } from './audit/failed-sign-ins.ts'
import type { Config } from './config/config.ts'
import { createArgon2Hasher } from './credential/argon2-hasher.ts'
import { Credentials } from './credential/credentials.ts'
import { createJoseSigner } from './credential/jose-signer.ts'
import { randomCodes } from './credential/random-codes.ts'
import { ErrorBook } from './error/error-book.ts'
import type { Breakers, BreakersParts } from './extension/breakers.ts'
import { extensionPlace } from './extension/extension-record.ts'
import type { Extensions } from './extension/extensions.ts'
import { type RegistrationParts, registerExtension } from './extension/register-extension.ts'
import { settleExtension, withdrawWorker } from './extension/withdrawal.ts'
import { widestBody } from './http/body-limits.ts'
import { ActiveJobs } from './job/active-jobs.ts'
import type { ReportParts } from './job/attempt-reports.ts'
import { AttemptTurns } from './job/attempt-turns.ts'
import { placesOf } from './job/job-places.ts'
import type { ReserveSlots } from './job/reserved-slots.ts'
import { RunTimes } from './job/run-times.ts'
import { boundedHasher } from './limits/bounded-hasher.ts'
import { type EdgeLimits, edgeLimits } from './limits/edge-limits.ts'
import { Intake } from './limits/intake.ts'
import { RateBook } from './limits/rate-book.ts'
import { HeldLocks } from './lock/held-locks.ts'
import { RecordMemory } from './memory/record-memory.ts'
import type { Metrics } from './metrics/metrics.ts'
import { Series } from './overview/series.ts'
import { ClassBook } from './placement/class-book.ts'
import { PassBook } from './placement/pass-book.ts'
import { PoolSummaries } from './placement/pool-summaries.ts'
import { ShortExtensions, type ShortSettings } from './placement/short-extensions.ts'
import type { Surroundings } from './placement/take-snapshot.ts'
import { WaitingQueues } from './placement/waiting-queues.ts'
import type { PasswordHasher } from './ports/password-hasher.ts'
import type { Store } from './ports/store.ts'
import type { Validator } from './ports/validator.ts'
import { Presence } from './presence/presence.ts'
import { Rooms } from './room/rooms.ts'
import type { ServerParts } from './server-parts.ts'
import { systemPartition, userKey, userOfRecord } from './user/user-record.ts'
import { AssignedAttempts } from './worker/assigned-attempts.ts'
import { LeaseRenewals } from './worker/lease-renewals.ts'
import type { ExtensionDesk } from './worker/register-worker.ts'
import { type Hold, Roster } from './worker/roster.ts'
import { workerOfRecord } from './worker/worker-record.ts'

/** Rung by whatever may change a plan. Placement is made after those who ring, so it is bound when it is there. */
export class Bell {
  #answer: () => void = () => undefined

  answerWith(answer: () => void): void {
    this.#answer = answer
  }

  readonly ring = (): void => this.#answer()
}

export interface PartsSetup {
  readonly config: Config
  readonly store: Store
  readonly secret: Uint8Array
  readonly validator: Validator
  readonly builtins: readonly ExtensionName[]
  readonly metrics: Metrics
  readonly around: Surroundings
  readonly known: Extensions
  readonly bell: Bell
  readonly reserve: ReserveSlots
  readonly breakers: Breakers
  readonly onBreakerChanged: BreakersParts['onChanged']
  readonly onFault: (fault: unknown) => void
  /** How late the event loop is; absent where there is none to measure. */
  readonly loopDelayMs?: () => number
  /** Handed in where a whole life has to be repeatable; otherwise Argon2, and the machine's own dice. */
  readonly hasher?: PasswordHasher
  readonly random?: () => number
}

export function surroundingsOf(
  store: Store,
  known: Extensions,
  short: ShortSettings = { share: 0, boundMs: 0 },
): Surroundings {
  return {
    store,
    rooms: new Rooms(store),
    roster: new Roster(),
    waiting: new WaitingQueues(store),
    book: new ClassBook(known),
    starts: new Map(),
    shorts: new ShortExtensions(short),
  }
}

export async function makeParts(setup: PartsSetup): Promise<ServerParts> {
  const { config, store, around, known, bell } = setup
  const { rooms, roster } = around
  const users = new RecordMemory(store, userOfRecord)
  const { guests, sessionTtlSeconds } = config
  const signer = createJoseSigner(setup.secret)
  const credentials = new Credentials({ store, users, signer, codes: randomCodes, guests, sessionTtlSeconds })
  const workers = new RecordMemory(store, workerOfRecord)
  const times = new RunTimes()
  const edge = edgeOf(setup)
  const { shorts } = around
  const summaries = new PoolSummaries({ store, roster, shorts, times, onFault: setup.onFault })
  const registration = registrationOf(setup)
  const held = new HeldLocks(store)
  const series = new Series(store.now())
  const reports = reportsOf(setup, { workers, times, held, series, logPace: edge.logs })
  return {
    store,
    users,
    hasher: setup.hasher ?? boundedHasher(await createArgon2Hasher()),
    codes: randomCodes,
    credentials,
    failedSignIns: new FailedSignIns(store),
    auditKeeper: new AuditKeeper(store, {
      retentionMs: config.auditRetentionSeconds * 1_000,
      maxEntries: config.auditMaxEntries,
    }),
    rooms,
    known,
    registration,
    submitting: submittingOf(setup, edge.intake),
    edge,
    active: reports.active,
    roster,
    workers,
    assigned: new AssignedAttempts(store),
    renewals: new LeaseRenewals({ store, roster, workers }, setup.onFault),
    reports,
    extensions: deskOf(registration),
    onBreakerChanged: setup.onBreakerChanged,
    locks: { store, rooms, workers, held },
    summaries,
    why: { ...around, times, summaries },
    times,
    limits: {
      resultMaxBytes: config.resultMaxBytes,
      workerTokenTtlSeconds: config.workerTokenTtlSeconds,
    },
    wake: bell.ring,
    holdOf: (submission) => holdOf(around, submission),
    roleOfUser: (name) => roleOfUser(users, name),
    passes: new PassBook(),
    series,
    presence: new Presence({ store, onFault: setup.onFault }),
  }
}

function edgeOf({ config, store, around, loopDelayMs = () => 0 }: PartsSetup): EdgeLimits {
  const { roomMaxPending, intakeMaxJobs, intakeMaxDelayMs } = config
  const intake = new Intake(
    { roomMaxPending, maxWaitingJobs: intakeMaxJobs, maxLoopDelayMs: intakeMaxDelayMs },
    { pendingIn: (room) => around.waiting.pendingIn(room), loopDelayMs },
  )
  const signIn = { perAccount: config.signInTriesPerAccount, perAddress: config.signInTriesPerAddress }
  const rates = { ...config, signIn, bodyMaxBytes: widestBody(config) }
  return edgeLimits(rates, intake, () => store.now(), pause)
}

function registrationOf({
  config,
  store,
  known,
  around,
  validator,
  builtins,
}: PartsSetup): RegistrationParts {
  const rates = new RateBook({ ...registrationRate, count: config.registrationsPerMinute })
  const { schemaMaxBytes, breakerFailures: failuresToOpen, breakerOpenMs: openMs } = config
  return {
    store,
    extensions: known,
    rooms: around.rooms,
    validator,
    rates,
    sha256,
    builtins,
    schemaMaxBytes,
    breaker: { failuresToOpen, openMs },
  }
}

function submittingOf(
  { config, store, known, around, validator, bell, reserve, metrics }: PartsSetup,
  intake: Intake,
): ServerParts['submitting'] {
  const policy: Partial<JobPolicy> = { runLimitMs: config.runLimitMs }
  return {
    store,
    extensions: known,
    validator,
    waiting: around.waiting,
    intake,
    reserve,
    wake: bell.ring,
    sha256,
    dataMaxBytes: config.jobDataMaxBytes,
    maxJobs: config.bulkMaxJobs,
    policy,
    onSubmitted: (count) => metrics.submitted(count),
  }
}

interface ReportSurroundings extends Pick<ReportParts, 'workers' | 'logPace'> {
  readonly times: RunTimes
  readonly held: HeldLocks
  readonly series: Series
}

function reportsOf(
  setup: PartsSetup,
  { workers, times, held, series, logPace }: ReportSurroundings,
): ReportParts {
  const { config, store, around, bell, metrics, known, breakers, onFault } = setup
  return {
    store,
    active: new ActiveJobs(),
    roster: around.roster,
    workers,
    waiting: around.waiting,
    wake: bell.ring,
    random: setup.random ?? Math.random,
    turns: new AttemptTurns(),
    logPace,
    logLimits: { linesKept: config.logLinesKept, lineMaxBytes: config.logLineMaxBytes },
    errors: new ErrorBook(),
    onEnded: (jobs) => {
      const now = store.now()
      for (const job of jobs) {
        series.ended(job, now)
        times.ended(job)
        around.shorts.ended(job)
      }
      metrics.ended(jobs)
      settleAbandoned(store, known, jobs).catch(onFault)
    },
    onAttemptsEnded: (attempts) => {
      breakers.ended(attempts)
      if (!held.any) return
      for (const { token } of attempts) held.over(token).catch(onFault)
    },
  }
}

/** An extension whose last worker has gone stays for its jobs; the last of them takes it along. */
async function settleAbandoned(store: Store, known: Extensions, jobs: readonly Job[]): Promise<void> {
  for (const { scope, category, extension: name, room, schemaHash } of distinctOf(jobs)) {
    const id: ExtensionId = { scope, category, name }
    const found = await known.get(room, id)
    const version = found?.value.versions.find(({ hash }) => hash === schemaHash)
    if (!version || version.workers.length > 0) continue
    await settleExtension({ store, extensions: known }, extensionPlace(id, room))
  }
}

/** A submission for each queue that they came from; neighbours mostly came from one. */
function distinctOf(jobs: readonly Job[]): Iterable<Submission> {
  const distinct = new Map<string, Submission>()
  let [lastRoom, lastQueue] = ['', '']
  for (const { submission } of jobs) {
    const { room } = submission
    const { queue } = placesOf(submission)
    if (room === lastRoom && queue === lastQueue) continue
    distinct.set(`${room} ${queue}`, submission)
    lastRoom = room
    lastQueue = queue
  }
  return distinct.values()
}

function deskOf(parts: RegistrationParts): ExtensionDesk {
  return {
    register: async (who, worker, offer) => {
      const registered = await registerExtension(parts, who, worker, offer)
      if (isRefusal(registered)) return registered
      const { id, room, hash } = registered
      return { room, ...id, hash }
    },
    withdraw: async (worker, { room, scope, category, name }) => {
      await withdrawWorker(parts, worker, extensionPlace({ scope, category, name }, room))
    },
  }
}

async function holdOf({ book, shorts }: Surroundings, submission: Submission): Promise<Hold> {
  const { room } = submission
  const queue = queueOf(submission)
  const known = book.known(room, queue) ?? (await book.learn(room, queue))
  return shorts.holdOf(known)
}

async function roleOfUser(users: ServerParts['users'], name: string): Promise<UserRole | null> {
  if (isGuestName(name)) return 'guest'
  const known = await users.get(systemPartition, userKey(name))
  return known?.value.role ?? null
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
