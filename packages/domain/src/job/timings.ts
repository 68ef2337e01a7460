// How long a job waited and ran. Clocks of replicas differ and may step back, so no duration is ever negative.

export interface Timings {
  readonly waitMs: number
  readonly runMs?: number
}

/** `startedAt` is that of the run that ended the job; a job that no run ended waited until its end. */
export function timings(createdAt: number, startedAt: number | undefined, endedAt: number): Timings {
  if (startedAt === undefined) return { waitMs: elapsed(createdAt, endedAt) }
  return { waitMs: elapsed(createdAt, startedAt), runMs: elapsed(startedAt, endedAt) }
}

function elapsed(from: number, to: number): number {
  return Math.max(0, to - from)
}
