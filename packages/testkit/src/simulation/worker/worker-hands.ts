// The handlers of a simulated worker: what they run, for how long, and how it ends. They fail, hang, obey a stop late or
// not at all; their results say which attempt made them.

import type { AttemptToken, Job } from '@millrace/domain'
import type { AttemptName, AttemptReport, StopOrder } from '@millrace/server'
import type { Appointment, Life } from '../virtual-clock.ts'
import type { World } from '../world.ts'
import type { OutboxReport } from './worker-outbox.ts'

type Events = AttemptReport['events']
type Ref = Pick<AttemptReport, 'room' | 'job' | 'token'>

export interface HandsParts {
  readonly world: World
  readonly worker: string
  readonly slots: number
  readonly life: Life
  readonly report: (report: OutboxReport) => void
}

interface Run {
  readonly ref: Ref
  end: Appointment | null
  /** Its handler has ended, and its slot is free. */
  hasEnded: boolean
}

export class WorkerHands {
  readonly #parts: HandsParts
  /** Everything that runs, and everything whose end the server has not acknowledged. */
  readonly #runs = new Map<AttemptToken, Run>()
  /** Superseded handlers that still hold their slot until they notice. */
  #leftovers = 0

  constructor(parts: HandsParts) {
    this.#parts = parts
  }

  get isIdle(): boolean {
    return this.#runs.size === 0 && this.#leftovers === 0
  }

  /** What the server may count on when this worker returns. */
  names(): readonly AttemptName[] {
    return [...this.#runs.values()].map(({ ref }) => ref)
  }

  take(job: Job): void {
    const { world, worker, slots } = this.#parts
    const { clock, dice } = world
    const token = job.attempt?.token
    if (!token || this.#runs.has(token)) return
    if (job.attempt?.worker !== worker)
      world.problem(`${worker} was given attempt ${token} of ${job.attempt?.worker}`)
    const ref = { room: job.submission.room, job: job.submission.id, token }
    if (this.#busy() >= slots || dice.chance(0.03)) {
      this.#tell(ref, [{ type: 'reject', token, reason: 'no' }], true)
      return
    }
    const run: Run = { ref, end: null, hasEnded: false }
    this.#runs.set(token, run)
    // Some are so busy that they get to it only when it may have been given to another.
    if (dice.chance(0.1)) clock.after(this.#parts.life, dice.between(3_000, 9_000), () => this.#begin(run))
    else this.#begin(run)
  }

  #begin(run: Run): void {
    const { dice } = this.#parts.world
    const { token } = run.ref
    if (run.hasEnded || !this.#runs.has(token)) return
    this.#tell(run.ref, [{ type: 'start', token }], false)
    // Some never come to an end by themselves.
    if (dice.chance(0.03)) return
    this.#endAfter(run, this.#durationMs(), () => this.#outcome(run))
  }

  stop({ room, job, token, how }: StopOrder): void {
    const { dice } = this.#parts.world
    const run = this.#runs.get(token)
    if (!run) {
      this.#tell({ room, job, token }, [{ type: 'cancel_stage', token, stage: 'stopped' }], true)
      return
    }
    if (run.hasEnded) return
    if (how === 'kill') {
      this.#ended(run)
      this.#tell(run.ref, [{ type: 'cancel_stage', token, stage: 'killed' }], true)
      return
    }
    this.#tell(run.ref, [{ type: 'cancel_stage', token, stage: 'acknowledged' }], false)
    // Some handlers do not listen, and end as they would have, or not at all.
    if (dice.chance(0.3)) return
    this.#endAfter(run, dice.between(0, 2_500), () =>
      this.#tell(run.ref, [{ type: 'cancel_stage', token, stage: 'stopped' }], true),
    )
  }

  /** The server has acknowledged its end. */
  heard(token: AttemptToken): void {
    if (this.#runs.get(token)?.hasEnded) this.#runs.delete(token)
  }

  /** Others have this job by now, or nobody: nothing is said about it any more. */
  drop(token: AttemptToken): void {
    const { clock, dice } = this.#parts.world
    const run = this.#runs.get(token)
    if (!run) return
    this.#runs.delete(token)
    if (run.end) run.end.cancelled = true
    if (run.hasEnded) return
    this.#leftovers += 1
    clock.after(this.#parts.life, dice.between(0, 1_000), () => {
      this.#leftovers -= 1
    })
  }

  #busy(): number {
    const running = [...this.#runs.values()].filter(({ hasEnded }) => !hasEnded)
    return running.length + this.#leftovers
  }

  #durationMs(): number {
    const { dice } = this.#parts.world
    return dice.chance(0.15) ? dice.between(4_000, 20_000) : dice.between(0, 2_500)
  }

  #outcome({ ref }: Run): void {
    const { world, worker } = this.#parts
    const { token } = ref
    const start = { type: 'start', token } as const
    if (!world.dice.chance(0.18)) {
      const result = JSON.stringify({ token, worker })
      this.#tell(ref, [start, { type: 'complete', token, result }], true)
      return
    }
    const retryable = !world.dice.chance(0.2)
    this.#tell(ref, [start, { type: 'fail', token, retryable, error: { message: 'it broke' } }], true)
  }

  #endAfter(run: Run, ms: number, ended: () => void): void {
    if (run.end) run.end.cancelled = true
    run.end = this.#parts.world.clock.after(this.#parts.life, ms, () => {
      this.#ended(run)
      ended()
    })
  }

  #ended(run: Run): void {
    if (run.end) run.end.cancelled = true
    run.hasEnded = true
  }

  #tell(ref: Ref, events: Events, isLast: boolean): void {
    this.#parts.report({ ...ref, events, isLast })
  }
}
