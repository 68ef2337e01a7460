// A worker that pulls its jobs over REST and listens to nobody: it goes on with what it was told to drop and reports
// late. What it reports after its attempt was superseded must be refused, so its answers stand in the ledger as well.

import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { AssignedJob } from '@millrace/protocol'
import { type ChaosData, category, extensionNames, policy } from './chaos-extension.ts'
import { Ledger, type LedgerLine, ledgerName } from './ledger.ts'

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
  void call('PUT', path, { token: attempt, status: 'running' })
  const running = [{ room, job: job.id, token: attempt }]
  const beat = setInterval(
    () => void call('POST', `/api/workers/${id}/beat`, { running, free: 0 }),
    beatEveryMs,
  )
  await pause((job.data as ChaosData).ms)
  clearInterval(beat)
  ledger.write({ step: 'end', at: Date.now(), job: job.id, run })
  const { status, body } = await insist('PUT', path, { token: attempt, status: 'completed', result: { run } })
  const answer = status === 200 ? 'completed' : String((body as { code?: unknown })?.code ?? status)
  ledger.write({ step: 'answer', at: Date.now(), run, answer })
}

await register()
console.log('ready')
for (;;) {
  const answer = await call('POST', '/api/jobs/next', { worker: id, waitMs: 5_000 })
  if (answer?.status === 200) await perform(answer.body as AssignedJob)
  else if (answer !== null && answer.status >= 400 && answer.status < 500) await register()
  else if (answer?.status !== 204) await pause(250)
}
