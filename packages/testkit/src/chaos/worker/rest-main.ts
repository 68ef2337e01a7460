// A worker that pulls its jobs over REST and listens to nobody: it goes on with what it was told to drop and reports
// late. What it reports after its attempt was superseded must be refused, so its answers stand in the ledger as well.

import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { AssignedJob, LockView } from '@millrace/protocol'
import { type ChaosData, category, extensionNames, policy } from './chaos-extension.ts'
import { Ledger, type LedgerLine, ledgerName } from './ledger.ts'
import { numberedLine } from './numbered-line.ts'
import { askAgainMs, lockTarget, lockTries, lockTtlMs } from './room-lock.ts'

const { url, token, id } = JSON.parse(process.argv[2] ?? '') as Record<'url' | 'token' | 'id', string>
const ledger = new Ledger<LedgerLine>(join(tmpdir(), ledgerName))
const beatEveryMs = 2_000
const giveUpAfterMs = 8_000

interface Answer {
  readonly status: number
  readonly body: unknown
}

/** Null when there was no answer. */
async function call(method: string, path: string, body: unknown): Promise<Answer | null> {
  try {
    const reply = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(giveUpAfterMs),
    })
    const text = await reply.text()
    return { status: reply.status, body: text === '' ? null : JSON.parse(text) }
  } catch {
    return null
  }
}

/** Until the server says yes or no; "not now" is neither. */
async function insist(method: string, path: string, body: unknown): Promise<Answer> {
  for (;;) {
    const answer = await call(method, path, body)
    if (answer && answer.status < 500 && answer.status !== 429) return answer
    await pause(250)
  }
}

async function register(): Promise<void> {
  const offer = { scope: 'global', category, name: extensionNames.rest, schema: { type: 'object' }, policy }
  const arrival = { worker: { id, offers: { slots: 1 } }, extensions: [offer] }
  for (;;) {
    const { status } = await insist('POST', '/api/workers/register', arrival)
    if (status === 200) return
    // An earlier life of this worker is just being put to rest.
    await pause(250)
  }
}

async function perform(job: AssignedJob): Promise<void> {
  const { room, token: attempt } = job
  const run = randomUUID()
  const path = `/api/rooms/${room}/jobs/${job.id}/status`
  ledger.write({
    step: 'begin',
    at: Date.now(),
    job: job.id,
    run,
    worker: id,
    pid: process.pid,
    token: attempt,
  })
  // Once: a report that is sent again brings its lines again.
  void call('PUT', path, { token: attempt, status: 'running', log: [numberedLine(run, 1)] })
  const running = [{ room, job: job.id, token: attempt }]
  const beat = setInterval(
    () => void call('POST', `/api/workers/${id}/beat`, { running, free: 0 }),
    beatEveryMs,
  )
  const { ms, locks } = job.data as ChaosData
  const fence = locks ? await takeLock(job, run) : null
  await pause(ms)
  if (fence !== null) await writeUnder(job, run, fence)
  clearInterval(beat)
  ledger.write({ step: 'end', at: Date.now(), job: job.id, run })
  const { status, body } = await insist('PUT', path, { token: attempt, status: 'completed', result: { run } })
  const answer = status === 200 ? 'completed' : String((body as { code?: unknown })?.code ?? status)
  ledger.write({ step: 'answer', at: Date.now(), run, answer })
}

function lockPath({ room }: AssignedJob, verb: string): string {
  return `/api/rooms/${room}/locks/${lockTarget}/${verb}`
}

/** Its number; null when others had it for too long. It is never refreshed, so a long job loses it to somebody else. */
async function takeLock(job: AssignedJob, run: string): Promise<number | null> {
  const { id: its, room, token: attempt } = job
  const body = { attempt: { job: its, token: attempt }, ttlMs: lockTtlMs }
  for (let tries = 0; tries < lockTries; tries++) {
    ledger.write({ step: 'ask', at: Date.now(), run, room, target: lockTarget })
    const answer = await call('POST', lockPath(job, 'acquire'), body)
    if (answer?.status === 200) {
      const { fence } = answer.body as LockView
      ledger.write({ step: 'held', at: Date.now(), run, room, target: lockTarget, fence })
      return fence
    }
    await pause(askAgainMs)
  }
  return null
}

/** As if the lock were still its own, which it need not be: an old number has to be refused. */
async function writeUnder(job: AssignedJob, run: string, fence: number): Promise<void> {
  const { id: its, room, token: attempt } = job
  const claim = { attempt: { job: its, token: attempt }, fence }
  ledger.write({ step: 'write', at: Date.now(), run, room, target: lockTarget, fence })
  const { status } = await insist('POST', lockPath(job, 'message'), { ...claim, message: run })
  if (status === 200) ledger.write({ step: 'written', at: Date.now(), run, room, target: lockTarget, fence })
  await call('POST', lockPath(job, 'release'), claim)
}

await register()
console.log('ready')
for (;;) {
  const answer = await call('POST', '/api/jobs/next', { worker: id, waitMs: 5_000 })
  if (answer?.status === 200) await perform(answer.body as AssignedJob)
  else if (answer !== null && answer.status >= 400 && answer.status < 500) await register()
  else if (answer?.status !== 204) await pause(250)
}
