// Follows a job for whoever sits at the terminal: shows it, ends with its result as the exit code, and at Ctrl-C leaves
// the job alone and says how to go on.

import type { JobView } from '@millrace/protocol'
import type { Session } from '../command.ts'
import { type ExitCode, exitCodes } from '../output/cli-error.ts'
import { self } from '../output/own-name.ts'
import { plainText } from '../output/plain-text.ts'
import { showValue } from '../output/show-value.ts'
import type { Terminal } from '../output/terminal.ts'
import { showDuration } from '../output/time.ts'
import { JobFollow } from './follow-job.ts'
import { jobFollower } from './job-follower.ts'
import { errorInWords } from './job-words.ts'
import { shortId, showStatus } from './show-job.ts'

export interface Following {
  toEnd(id: string): Promise<void>
  /** Nothing is followed after all. */
  close(): void
}

/** Connects at once, so that a job that is submitted next is followed from its first moment on. */
export function beginFollowing({ api, terminal }: Session, room: string): Following {
  const follower = jobFollower(terminal)
  const follow = new JobFollow(api, room, follower)
  follow.open()
  const close = (): void => {
    follower.end()
    follow.close()
  }
  return {
    close,
    toEnd: async (id) => {
      const stop = interruption()
      try {
        const job = await follow.run(id, stop)
        follower.end()
        process.exitCode = job === null ? letGo(terminal, id) : ended(terminal, job)
      } finally {
        close()
      }
    },
  }
}

/** A terminal sends Ctrl-C to us and to whatever started us, which passes it on: what comes that close is one request. */
const sameRequestMs = 500

/** At the first Ctrl-C; a later one does not wait for what is under way. */
export function interruption(): AbortSignal {
  const stop = new AbortController()
  let firstAt: number | null = null
  const hear = (): void => {
    firstAt ??= performance.now()
    if (performance.now() - firstAt > sameRequestMs) process.exit(exitCodes.interrupted)
    stop.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, hear)
  return stop.signal
}

function letGo(terminal: Terminal, id: string): ExitCode {
  const short = shortId(id)
  if (terminal.json) terminal.record({ event: 'stopped', id }, () => '')
  terminal.say(`No longer following; job ${short} goes on.`)
  terminal.say(`  follow it again   ${self} jobs follow ${short}`)
  terminal.say(`  cancel it         ${self} jobs cancel ${short}`)
  return exitCodes.interrupted
}

function ended(terminal: Terminal, job: JobView): ExitCode {
  const { status, result } = job
  if (terminal.json) terminal.record({ event: 'ended', job }, () => '')
  else if (result !== undefined) terminal.result(result, (shown) => showValue(shown, terminal))
  terminal.say(`${showStatus(status, terminal.sayStyle)}${plainText(endWords(job))}`)
  if (status === 'failed') {
    terminal.say(`  Look at it: ${self} jobs get ${shortId(job.id)}`)
    terminal.say(`  Retry it: ${self} jobs retry ${shortId(job.id)}`)
  }
  if (status === 'completed') return exitCodes.done
  return status === 'cancelled' ? exitCodes.cancelled : exitCodes.refused
}

function endWords({ status, runMs, waitMs, attempts, error, cancel }: JobView): string {
  const ran = runMs === undefined ? '' : ` in ${showDuration(runMs)}`
  const waited = waitMs === undefined ? '' : ` (waited ${showDuration(waitMs)})`
  const by = cancel && status === 'cancelled' ? ` by ${cancel.by}` : ''
  const tries = attempts.length > 1 ? `, ${attempts.length} attempts` : ''
  return `${by}${ran}${waited}${tries}${error && status === 'failed' ? `: ${errorInWords(error)}` : ''}`
}
