// Dead letters, and what is done to many jobs at once.

import type { Caller, JobFilter, JobId, Refusal } from '@millrace/domain'
import { type JobsChoice, routes } from '@millrace/protocol'
import { actOnJobs, type ManyOrder } from '../job/act-on-jobs.ts'
import type { Choice } from '../job/chosen-jobs.ts'
import { listJobs } from '../job/list-jobs.ts'
import { refusedHere } from '../refusal/problem-of.ts'
import { openRoom } from '../room/rooms.ts'
import type { ServerParts } from '../server-parts.ts'
import type { AddRoute } from './add-routes.ts'
import { askedJobs } from './asked-jobs.ts'
import { jobsPageView } from './job-view.ts'
import { answer } from './route-handler.ts'

export function manyJobsRoutes(parts: ServerParts, add: AddRoute): void {
  add(routes.listDeadLetters, async ({ params, query, who }) => {
    const room = await openRoom(parts.rooms, params.room, who, 'read')
    if ('refused' in room) return room
    const asked = askedJobs({ ...query, deadLetters: true })
    if ('refused' in asked) return asked
    return answer(200, jobsPageView(await listJobs(parts.store, { room: room.name, ...asked, mayLag: true })))
  })
  add(routes.redriveDeadLetters, acting(parts, 'redrive'))
  add(routes.cancelJobs, acting(parts, 'cancel'))
  add(routes.retryJobs, acting(parts, 'retry'))
}

function acting(parts: ServerParts, act: ManyOrder['act']) {
  return async ({ params, body, who }: Asked) => {
    const room = await openRoom(parts.rooms, params.room, who, 'submit')
    if ('refused' in room) return room
    const choice = choiceOf(act, body)
    if ('refused' in choice) return choice
    return answer(200, await actOnJobs(parts, who, room, { act, choice, dryRun: body.dryRun === true }))
  }
}

interface Asked {
  readonly params: { readonly room: string }
  readonly body: JobsChoice
  readonly who: Caller
}

function choiceOf(act: ManyOrder['act'], body: JobsChoice): Choice | Refusal {
  if ('ids' in body) return { ids: body.ids as JobId[] }
  const [cursor, began] = body.cursor?.split('@') ?? []
  if (cursor !== undefined && !/^\d{1,13}$/.test(began ?? ''))
    return refusedHere('request_invalid', 'The cursor is not one that an answer gave.', {
      where: 'body',
      pointer: '/cursor',
    })
  const asked = askedJobs({ ...body.filter, ...(cursor !== undefined && { cursor }) })
  if ('refused' in asked) return asked
  const { filter, since, until } = asked
  return {
    filter: meant(act, filter),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(body.cursor !== undefined && { cursor: body.cursor }),
  }
}

/** Where no status is named, those are meant to which it can be done: open jobs are cancelled, dead letters run again. */
function meant(act: ManyOrder['act'], filter: JobFilter): JobFilter {
  if (act === 'redrive') return { ...filter, deadLetters: true }
  if (filter.statuses !== undefined || filter.deadLetters !== undefined) return filter
  return act === 'cancel'
    ? { ...filter, statuses: ['pending', 'assigned', 'running'] }
    : { ...filter, deadLetters: true }
}
