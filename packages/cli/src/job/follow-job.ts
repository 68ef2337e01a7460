// Follows a job to its end. The socket says when to look, HTTP says what is so; while neither answers (a restart, a lost
// network) it tries on. Log lines come once each and in order, whichever way they came.

import type { JobView, LogLine, WhyView } from '@millrace/protocol'
import type { Api } from '../connection/api.ts'
import { type JobFeed, openJobFeed } from '../connection/job-feed.ts'
import { CliError, exitCodes } from '../output/cli-error.ts'
import type { FoundJob } from './find-job.ts'

/** What somebody who follows is told. */
export interface Follower {
  state(job: JobView): void
  waiting(why: WhyView): void
  progress(fraction: number, message: string | undefined): void
  line(line: LogLine): void
  /** The server does not answer; null: it does again. */
  trouble(reason: string | null): void
}

/** A waiting job's place changes without an event of its own. */
const waitingLookMs = 2_000
/** The net below the events. */
const netLookMs = 15_000
const troubleLookMs = 1_000

export function isEnded({ status }: Pick<JobView, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled'
}

export class JobFollow {
  readonly #api: Api
  readonly #room: string
  readonly #follower: Follower
  #feed: Promise<JobFeed> | null = null
  #lastLine = -1
  #isDirty = false
  #wake: () => void = () => undefined
  #refused: CliError | null = null
  #isTrouble = false
  #hinted = ''
  #attempt: number | undefined
  #heard = -1

  constructor(api: Api, room: string, follower: Follower) {
    this.#api = api
    this.#room = room
    this.#follower = follower
  }

  /** Connects; a job that is not known yet can be followed from its first moment on. */
  open(): void {
    this.#feed ??= openJobFeed(this.#api.target, this.#room, {
      look: () => this.#look(),
      progress: (fraction, message) => this.#progress(fraction, message),
      lines: (lines) => this.#lines(lines),
      lost: () => undefined,
      refused: (error) => {
        this.#refused = error
        this.#look()
      },
    })
  }

  /** The job when it has ended; null when it was told to stop before. */
  async run(id: string, stop: AbortSignal): Promise<JobView | null> {
    this.open()
    const feed = await this.#feed
    feed?.join(id)
    try {
      let job = await this.#state({ room: this.#room, id })
      while (!stop.aborted) {
        if (job && isEnded(job)) return job
        await this.#hint(this.#waitMs(job), stop)
        if (!stop.aborted) job = await this.#state({ room: this.#room, id })
      }
      return null
    } finally {
      this.close()
    }
  }

  close(): void {
    void this.#feed?.then((feed) => feed.close())
  }

  /** Null while the server does not answer. The lines are fetched after the state: an ended job logs no more. */
  async #state(params: FoundJob): Promise<JobView | null> {
    if (this.#refused) throw this.#refused
    this.#isDirty = false
    try {
      const job = await this.#api.ask('GET /api/rooms/{room}/jobs/{id}', { params })
      const { lines } = await this.#api.ask('GET /api/rooms/{room}/jobs/{id}/logs', {
        params,
        query: { after: this.#lastLine },
      })
      this.#trouble(null)
      // Its lines belong to the state it is in, and come before its end.
      if (isEnded(job)) this.#take(lines)
      this.#follower.state(job)
      this.#take(lines)
      this.#lookAtProgress(job)
      if (job.status === 'pending') {
        this.#follower.waiting(await this.#api.ask('GET /api/rooms/{room}/jobs/{id}/why', { params }))
      }
      return job
    } catch (error) {
      if (!isPassing(error)) throw error
      this.#trouble((error as Error).message)
      return null
    }
  }

  #waitMs(job: JobView | null): number {
    if (job === null) return troubleLookMs
    return job.status === 'pending' ? waitingLookMs : netLookMs
  }

  #look(): void {
    this.#isDirty = true
    this.#wake()
  }

  /** Until there is something to look at, or it has been long enough. */
  #hint(ms: number, stop: AbortSignal): Promise<void> {
    if (this.#isDirty || stop.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer)
        stop.removeEventListener('abort', end)
        this.#wake = () => undefined
        resolve()
      }
      const timer = setTimeout(end, ms)
      stop.addEventListener('abort', end)
      this.#wake = end
    })
  }

  /** What was heard meanwhile is newer than what was fetched, unless it was about an attempt before. */
  #lookAtProgress({ status, progress, assignedAt }: JobView): void {
    if (this.#attempt !== undefined && assignedAt !== this.#attempt) this.#heard = -1
    this.#attempt = assignedAt
    if (progress && status === 'running' && progress.fraction >= this.#heard)
      this.#progress(progress.fraction, progress.message)
  }

  #progress(fraction: number, message: string | undefined): void {
    this.#heard = fraction
    const hint = `${fraction} ${message}`
    if (hint === this.#hinted) return
    this.#hinted = hint
    this.#follower.progress(fraction, message)
  }

  /** Lines that others came before are left to the next look, which brings both. */
  #lines(lines: readonly LogLine[]): void {
    if ((lines[0]?.number ?? 0) > this.#lastLine + 1) this.#look()
    else this.#take(lines)
  }

  #take(lines: readonly LogLine[]): void {
    for (const line of lines) {
      if (line.number <= this.#lastLine) continue
      this.#lastLine = line.number
      this.#follower.line(line)
    }
  }

  #trouble(reason: string | null): void {
    if (reason === null && !this.#isTrouble) return
    if (reason !== null && this.#isTrouble) return
    this.#isTrouble = reason !== null
    this.#follower.trouble(reason)
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof CliError && error.facts.exitCode === exitCodes.unreachable
}
