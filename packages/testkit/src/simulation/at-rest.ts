// What must hold when everything has come to rest: every answered submit has led to one end, nothing is counted as
// running, no slot is taken, and every replica has heard of everything.

import { isTerminal, type Job } from '@millrace/domain'
import type { Ledger } from './ledger.ts'
import type { SimulatedClient } from './simulated-client.ts'
import type { SimulatedReplica } from './simulated-replica.ts'
import type { SimulatedStore } from './simulated-store.ts'

export interface RestingWorld {
  readonly ledger: Ledger
  readonly store: SimulatedStore
  readonly client: SimulatedClient
  readonly replicas: readonly SimulatedReplica[]
}

export function restProblems(world: RestingWorld): readonly string[] {
  return [
    ...submitProblems(world),
    ...cancelProblems(world),
    ...resultProblems(world),
    ...counterProblems(world),
    ...world.replicas.flatMap((replica) => [
      ...rosterProblems(replica),
      ...memoryProblems(world, replica),
      ...feedProblems(world, replica),
    ]),
  ]
}

function submitProblems({ ledger, client }: RestingWorld): readonly string[] {
  const lost = [...client.acknowledged.keys()].filter((id) => !ledger.jobs.has(id))
  const open = [...ledger.jobs.values()].filter(({ status }) => !isTerminal(status))
  return [
    ...lost.map((id) => `job ${id} was acknowledged and is lost`),
    ...open.map(({ submission, status }) => `job ${submission.id} is still ${status}`),
  ]
}

/** A completion that was under way may win; a failure may not. */
function cancelProblems({ ledger, client }: RestingWorld): readonly string[] {
  return [...client.cancelled].flatMap((id) => {
    const status = ledger.jobs.get(id)?.status
    return status === 'cancelled' || status === 'completed'
      ? []
      : [`job ${id} was cancelled and is ${status}`]
  })
}

/** Results say which attempt made them; only the one that completed the job may have written. */
function resultProblems({ ledger }: RestingWorld): readonly string[] {
  return [...ledger.jobs.values()].flatMap((job) => {
    const { id } = job.submission
    const result = ledger.results.get(id)
    const author = result === undefined ? null : (JSON.parse(result) as { token: string }).token
    const winner = winnerOf(job)
    return author === winner ? [] : [`job ${id}: ${winner} completed it, but the result is by ${author}`]
  })
}

function winnerOf({ status, ended }: Job): string | null {
  return status === 'completed' ? (ended.at(-1)?.token ?? null) : null
}

function counterProblems({ ledger }: RestingWorld): readonly string[] {
  return ledger.partitions.flatMap((partition) =>
    [...ledger.countersOf(partition)]
      .filter(([name]) => name === 'running' || name.startsWith('running:') || name.startsWith('open:'))
      .map(([name, value]) => `${name} of ${partition} is ${value} at rest`),
  )
}

function rosterProblems({ name, parts }: SimulatedReplica): readonly string[] {
  const problems: string[] = []
  for (const { record, running, reserved, capacity, channel } of parts?.roster.all() ?? []) {
    const worker = record.worker.id
    // One that has gone elsewhere is given nothing, and is counted anew when it returns.
    if (channel.ready() === 0) continue
    if (running.size > 0) problems.push(`${name} believes that ${worker} runs ${[...running.keys()]}`)
    if (reserved > 0) problems.push(`${name} holds ${reserved} reservations at ${worker}`)
    if (running.size === 0 && capacity.taken.slots > 0)
      problems.push(`${name} holds ${capacity.taken.slots} slots of ${worker} for nothing`)
  }
  return problems
}

/**
 * A memory of jobs that have ended would grow for as long as the replica lives. One may stay behind: of a job that ended
 * elsewhere before the claim of it was answered, on a connection that was dead by then.
 */
function memoryProblems({ ledger }: RestingWorld, { name, parts }: SimulatedReplica): readonly string[] {
  const remembered = [...ledger.jobs.values()].filter(({ submission: { room, id } }) =>
    parts?.active.get(room, id),
  )
  if (remembered.length <= 1) return []
  return remembered.map(({ submission }) => `${name} still remembers job ${submission.id} as active`)
}

function feedProblems({ ledger }: RestingWorld, { name, watch }: SimulatedReplica): readonly string[] {
  return ledger.partitions.flatMap((partition) => {
    const [heard, last] = [watch?.lastOf(partition) ?? null, ledger.sequenceOf(partition)]
    return heard === null || heard === last
      ? []
      : [`${name} heard ${heard} of ${last} events of ${partition}`]
  })
}
