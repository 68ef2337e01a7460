// Workers as people see them, and the door for those that ask for their jobs instead of being pushed them.

import type { Identity, Job, WorkerId } from '@millrace/domain'
import { routes, type WorkerView } from '@millrace/protocol'
import { refusedHere } from '../refusal/problem-of.ts'
import type { ServerParts } from '../server-parts.ts'
import { arrivalOf, arrivedView } from '../worker/arrival-view.ts'
import { attemptsToStop, type PullStation } from '../worker/attempts-to-stop.ts'
import { jobsOnWorker, type RunningJob } from '../worker/jobs-on-worker.ts'
import { getWorker, listWorkers, type SeenWorker } from '../worker/list-workers.ts'
import { PullChannel } from '../worker/pull-channel.ts'
import { reaches, registerWorker } from '../worker/register-worker.ts'
import type { Stationed } from '../worker/roster.ts'
import { disconnectWorker, setDraining } from '../worker/send-away.ts'
import type { AddRoute } from './add-routes.ts'
import { assignedView } from './job-view.ts'
import { type Answer, answer } from './route-handler.ts'

export function workerRoutes(parts: ServerParts, add: AddRoute): void {
  const view = async (who: Identity, worker: SeenWorker): Promise<WorkerView> =>
    workerView(worker, await jobsOnWorker(parts, who, worker.record.worker.id))
  const seen = async <Refused extends { readonly refused: unknown }>(
    who: Identity,
    worker: SeenWorker | Refused,
  ): Promise<Answer | Refused> => ('refused' in worker ? worker : answer(200, await view(who, worker)))
  add(routes.listWorkers, async ({ who }) => {
    const workers = await listWorkers(parts, who)
    return answer(200, { workers: await Promise.all(workers.map((worker) => view(who, worker))) })
  })
  add(routes.getWorker, async ({ params, who }) => seen(who, await getWorker(parts, who, params.id)))
  add(routes.drainWorker, async ({ params, who }) =>
    seen(who, await setDraining(parts, who, params.id, true)),
  )
  add(routes.undrainWorker, async ({ params, who }) =>
    seen(who, await setDraining(parts, who, params.id, false)),
  )
  add(routes.disconnectWorker, async ({ params, who }) =>
    seen(who, await disconnectWorker(parts, who, params.id)),
  )
  add(routes.registerWorker, async ({ body, who }) => {
    const stationed = parts.roster.get(body.worker.id as WorkerId)
    const channel = stationed?.channel instanceof PullChannel ? stationed.channel : new PullChannel()
    const arrived = await registerWorker(parts, who, arrivalOf(body, channel, 'pull'))
    return 'refused' in arrived ? arrived : answer(200, arrivedView(arrived))
  })
  add(routes.nextJob, async ({ body, who, gone }) => {
    const stationed = pullWorker(parts, who, body.worker)
    if ('refused' in stationed) return stationed
    // Asking is a sign of life; the question does not wait until it is written.
    parts.renewals.heard(body.worker as WorkerId, null).catch(() => undefined)
    const job = await stationed.channel.next(body.waitMs ?? 0, gone, parts.wake)
    return job === null ? answer(204) : answer(200, assignedView(job satisfies Job))
  })
  add(routes.beatWorker, async ({ params, body, who }) => {
    const stationed = pullWorker(parts, who, params.id)
    if ('refused' in stationed) return stationed
    const leaseUntil = await parts.renewals.heard(params.id as WorkerId, body.vitals ?? null)
    if (typeof leaseUntil !== 'number') return leaseUntil
    const dropped = await attemptsToStop(parts.store, params.id as WorkerId, stationed, body.running)
    return answer(200, { leaseUntil, dropped })
  })
}

/** A worker this replica does not know has to register again, as after a restart of the server. */
function pullWorker(
  { roster }: ServerParts,
  who: Identity,
  id: string,
): PullStation | ReturnType<typeof refusedHere> {
  const stationed: Stationed | undefined = roster.get(id as WorkerId)
  if (!stationed || stationed.record.worker.user !== who.user || !reaches(who, stationed.record.serves))
    return refusedHere('worker_lost')
  const { channel, running } = stationed
  return channel instanceof PullChannel
    ? { channel, running }
    : refusedHere('worker_kind_fixed', 'This worker is connected by a socket; its jobs are pushed to it.')
}

function workerView({ record, health, free, running }: SeenWorker, jobs: readonly RunningJob[]): WorkerView {
  const { worker, serves, channel } = record
  const { id, kind, user, draining, capacity, lease, heardAt, vitals, registeredAt } = worker
  return {
    id,
    kind,
    user,
    channel,
    presence: lease.presence,
    healthy: health.ok,
    reason: health.ok ? null : health.reason,
    draining,
    total: capacity.total,
    free,
    labels: [...capacity.labels],
    running,
    jobs: jobs.map(({ room, job }) => ({ room, id: job })),
    vitals,
    extensions: serves.map(({ room, scope, category, name }) => ({ room, scope, category, name })),
    heardAt,
    leaseUntil: lease.leaseUntil,
    registeredAt,
  }
}
