// Submits jobs to the extension that is meant: resolve, validate, submit. What was validated against has to hold still
// until the commit; where it did not, everything is read again. What was submitted before under the same keys is answered
// as then, whatever has become of the extension and of the room's queues.

import {
  type Caller,
  canonicalJson,
  capPriority,
  type Extension,
  isRefusal,
  type Job,
  type JobId,
  type JobPolicy,
  queueOf,
  type Refusal,
  type Room,
  refuse,
  resolveExtension,
  resolvePolicy,
  type SchemaHash,
  type Submission,
  score,
  utf8Bytes,
  versionOf,
  type Wanted,
} from '@millrace/domain'
import { extensionPlace } from '../extension/extension-record.ts'
import type { Extensions } from '../extension/extensions.ts'
import type { Intake } from '../limits/intake.ts'
import type { Known } from '../memory/record-memory.ts'
import { newId } from '../new-id.ts'
import type { WaitingQueues } from '../placement/waiting-queues.ts'
import type { Put, Store } from '../ports/store.ts'
import type { Validator } from '../ports/validator.ts'
import { storeValues } from '../values/store-values.ts'
import { putValues } from '../values/values-record.ts'
import { openOfQueue } from './job-places.ts'
import type { ReserveSlots } from './reserved-slots.ts'
import { type Keyed, type Submitted, submitJobs, submittedBefore } from './submit-jobs.ts'

export interface SubmitParts {
  readonly store: Store
  readonly extensions: Extensions
  readonly validator: Validator
  readonly waiting: WaitingQueues
  readonly intake: Intake
  readonly reserve: ReserveSlots
  readonly wake: () => void
  readonly sha256: (text: string) => string
  readonly dataMaxBytes: number
  readonly maxJobs: number
  /** Defaults of the installation under those of the extension. */
  readonly policy: Partial<JobPolicy>
  readonly onSubmitted: (count: number) => void
}

export interface JobRequest {
  readonly data: unknown
  readonly priority?: number
  readonly notBefore?: number
  readonly runBy?: number
  readonly policy?: Partial<JobPolicy>
  readonly idempotencyKey?: string
}

export interface SubmitBody {
  readonly requests: readonly JobRequest[]
  /** Of the whole request: one that is smaller than the limit of a job cannot hold a job that is larger. */
  readonly bodyBytes: number
  /** Sent over a connection that stands. A form shows next time what a person submitted. */
  readonly isByProgram?: true
}

export type SubmitAnswer = { readonly jobs: readonly Submitted[] } | { readonly values: unknown }

const defaultPriority = 5
const triesAtMost = 5
const optionsMaxBytes = 10_000

export async function submitToExtension(
  parts: SubmitParts,
  who: Caller,
  room: Room,
  wanted: Wanted,
  body: SubmitBody,
): Promise<SubmitAnswer | Refusal> {
  const refusal = tooMany(body.requests, parts.maxJobs)
  if (refusal !== null) return refusal
  const answer = await submitNow(parts, who, room, wanted, body)
  if (!isRefusal(answer)) return answer
  return (await answerBefore(parts, who, room, wanted, body)) ?? answer
}

async function submitNow(
  parts: SubmitParts,
  who: Caller,
  room: Room,
  wanted: Wanted,
  { requests, bodyBytes, isByProgram }: SubmitBody,
): Promise<SubmitAnswer | Refusal> {
  for (let tries = 1; ; tries++) {
    const found = await resolve(parts.extensions, room, wanted)
    if (isRefusal(found)) return found
    const data = await validate(parts.validator, found.value, requests)
    if (isRefusal(data)) return data
    const large = mayBeLarge(parts, found.value, bodyBytes) ? tooLarge(data, parts.dataMaxBytes) : null
    if (large !== null) return large

    if (found.value.id.category === 'settings') return storeSettings(parts, who, room, found.value, data)

    const submissions = build(parts, who, room, { wanted, extension: found.value, requests, data })
    if (isRefusal(submissions)) return submissions
    const { partition, key } = extensionPlace(found.value.id, room.name)
    const open = submissions.some(({ notBefore }) => notBefore !== undefined)
      ? await openJobs(parts.store, room.name)
      : 0
    const submitted = await parts.intake.through(room.name, submissions.length, open, () =>
      submitJobs(parts.store, room.name, submissions, {
        resting: partition === room.name ? { [key]: found.version } : {},
        beside: isByProgram || requests.length > 1 ? [] : [lastValues(parts, who, found.value, data[0])],
        ...(mayBeginAtOnce(room, found.value) && { reserve: parts.reserve }),
        onCommitted: (jobs) => tellPlacement(parts, jobs),
      }),
    )

    if (isRefusal(submitted)) {
      if (submitted.refused !== 'submission_overtaken' || tries === triesAtMost) return submitted
      parts.extensions.forget(partition, key)
      continue
    }
    return { jobs: submitted }
  }
}

/**
 * A request whose answer was lost is sent again, and by then may be refused that was not the first time: its jobs have
 * ended and the extension has gone with its workers, or has another schema, or the room is full. Null: some of it is new.
 */
async function answerBefore(
  parts: SubmitParts,
  { user: submitter }: Caller,
  room: Room,
  wanted: Wanted,
  { requests }: SubmitBody,
): Promise<SubmitAnswer | Refusal | null> {
  if (requests.some(({ idempotencyKey }) => idempotencyKey === undefined)) return null
  const keyed: Keyed[] = []
  for (const request of requests) {
    const identified = identify(parts, wanted, request)
    if (isRefusal(identified)) return null
    keyed.push({ submitter, ...identified })
  }
  const jobs = await submittedBefore(parts.store, room.name, keyed)
  return jobs === null || isRefusal(jobs) ? jobs : { jobs }
}

/** Delayed jobs stand in no queue; whoever brings more of them is counted by all that have not ended. */
async function openJobs(store: Store, room: string): Promise<number> {
  let open = 0
  for (const [counter, count] of Object.entries(await store.counters(room)))
    if (counter.startsWith(openOfQueue(''))) open += count
  return open
}

async function resolve(
  extensions: Extensions,
  { name }: Room,
  wanted: Wanted,
): Promise<Known<Extension> | Refusal> {
  const resolved = resolveExtension(await extensions.inReach(name, wanted), wanted)
  if (isRefusal(resolved)) return resolved
  const known = await extensions.get(name, resolved.extension.id)
  return known ?? refuse('extension_not_found')
}

async function validate(
  validator: Validator,
  extension: Extension,
  requests: readonly JobRequest[],
): Promise<readonly unknown[] | Refusal> {
  const version = versionOf(extension, extension.current)
  if (!version) return refuse('extension_not_found')
  return validator.validateAll(
    version,
    requests.map(({ data }) => data),
  )
}

/** What was asked for, and what it means now. */
interface Meant {
  readonly wanted: Wanted
  readonly extension: Extension
  readonly requests: readonly JobRequest[]
  /** Of each request, with defaults. */
  readonly data: readonly unknown[]
}

function build(
  parts: SubmitParts,
  who: Caller,
  room: Room,
  { wanted, extension, requests, data }: Meant,
): readonly Submission[] | Refusal {
  const now = parts.store.now()
  const ofExtension = versionOf(extension, extension.current)?.policy.job ?? {}
  const policies = new Map<JobRequest['policy'], JobPolicy>()
  const submissions: Submission[] = []
  let at = 0
  for (const request of requests) {
    const policy = policies.get(request.policy) ?? policyOf(parts.policy, ofExtension, request.policy)
    if (isRefusal(policy)) return policy
    policies.set(request.policy, policy)
    const priority = capPriority(request.priority ?? defaultPriority, who.role)
    if (isRefusal(priority)) return priority
    const { scope, category, name } = extension.id
    const idempotency = identify(parts, wanted, request)
    if (isRefusal(idempotency)) return idempotency
    submissions.push({
      id: newId(now) as JobId,
      room: room.name,
      scope,
      category,
      extension: name,
      schemaHash: extension.current as SchemaHash,
      data: data[at++],
      submitter: who.user,
      priority,
      createdAt: now,
      policy,
      ...(request.notBefore !== undefined && { notBefore: request.notBefore }),
      ...(request.runBy !== undefined && { runBy: request.runBy }),
      ...idempotency,
    })
  }
  return submissions
}

const usual = new WeakMap<Partial<JobPolicy>, JobPolicy | Refusal>()

/** Most requests say nothing of their own, and then it is the same until the extension changes. */
function policyOf(
  ofServer: Partial<JobPolicy>,
  ofExtension: Partial<JobPolicy>,
  ofJob: Partial<JobPolicy> | undefined,
): JobPolicy | Refusal {
  if (ofJob !== undefined) return resolvePolicy({ ...ofServer, ...ofExtension }, ofJob)
  const known = usual.get(ofExtension)
  if (known) return known
  const policy = resolvePolicy({ ...ofServer, ...ofExtension }, {})
  usual.set(ofExtension, policy)
  return policy
}

/** What the form shows next time; a bulk comes from a program and says nothing about a form. */
function lastValues({ store }: SubmitParts, who: Caller, { id }: Extension, values: unknown): Put {
  return putValues(who.user, id, { values, at: store.now() })
}

/** By the request as it was sent: what it means and which defaults are filled in changes with the extension. */
function identify(
  { sha256, dataMaxBytes }: SubmitParts,
  { scope, category, name }: Wanted,
  { idempotencyKey: key, ...request }: JobRequest,
): Pick<Submission, 'idempotency'> | Refusal {
  if (key === undefined) return {}
  const body = { ...(scope !== undefined && { scope }), category, extension: name, ...request }
  const text = canonicalJson(body, { maxBytes: dataMaxBytes + optionsMaxBytes, maxDepth: 100 })
  return isRefusal(text) ? text : { idempotency: { key, bodyHash: sha256(text) } }
}

async function storeSettings(
  { store }: SubmitParts,
  who: Caller,
  room: Room,
  extension: Extension,
  data: readonly unknown[],
): Promise<SubmitAnswer | Refusal> {
  if (data.length !== 1) return refuse('submission_out_of_range', 'Settings are submitted one at a time.')
  await storeValues(store, room.name, who.user, extension.id, data[0])
  return { values: data[0] }
}

/** Limits hold because the store checks them when jobs are claimed from their queue. */
function mayBeginAtOnce({ settings }: Room, extension: Extension): boolean {
  return settings.limit === null && versionOf(extension, extension.current)?.policy.maxRunning === null
}

/** They are of one queue; those that are assigned already wait for nobody. */
function tellPlacement({ waiting, wake, onSubmitted }: SubmitParts, jobs: readonly Job[]): void {
  onSubmitted(jobs.length)
  const queued = jobs.filter((job) => job.queued)
  const [first] = queued
  if (!first) return
  const { room } = first.submission
  const headScore = queued.reduce((least, { submission }) => Math.min(least, score(submission)), Infinity)
  waiting.added(room, queueOf(first.submission), queued.length, headScore)
  wake()
}

function tooMany({ length }: readonly JobRequest[], maxJobs: number): Refusal | null {
  if (length <= maxJobs) return null
  const message = `At most ${maxJobs} jobs are submitted at once; these are ${length}.`
  return refuse('submission_out_of_range', message, { limit: maxJobs, jobs: length })
}

/** A request smaller than the limit of one job holds none that is larger, unless defaults were filled in. */
function mayBeLarge({ dataMaxBytes }: SubmitParts, extension: Extension, bodyBytes: number): boolean {
  const schema = versionOf(extension, extension.current)?.schema
  return bodyBytes > dataMaxBytes || (schema !== undefined && holdsDefaults(schema))
}

const known = new WeakMap<object, boolean>()

/** Every submit asks, so the answer is remembered for as long as the schema is. */
function holdsDefaults(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  const answer = known.get(schema) ?? ('default' in schema || Object.values(schema).some(holdsDefaults))
  known.set(schema, answer)
  return answer
}

function tooLarge(data: readonly unknown[], maxBytes: number): Refusal | null {
  for (const one of data) {
    const bytes = utf8Bytes(JSON.stringify(one) ?? '')
    if (bytes > maxBytes) {
      const message = `The data of a job has at most ${maxBytes} bytes; this one has ${bytes}.`
      return refuse('json_too_large', message, { limit: maxBytes, bytes })
    }
  }
  return null
}
