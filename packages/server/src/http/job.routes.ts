// Jobs: submitting, looking, cancelling, and the reports of workers that prefer REST.

import type { AttemptToken, Identity, JobId } from '@millrace/domain'
import { routes } from '@millrace/protocol'
import { seenInRoom } from '../error/list-errors.ts'
import { cancelJob } from '../job/cancel-job.ts'
import { readLog } from '../job/job-log.ts'
import { listJobs } from '../job/list-jobs.ts'
import { jobHistory, readJob } from '../job/read-job.ts'
import { reportByRest } from '../job/report-status.ts'
import { retryJob } from '../job/retry-job.ts'
import { submitToExtension } from '../job/submit-to-extension.ts'
import { whyJob } from '../placement/why-job.ts'
import { openRoom } from '../room/rooms.ts'
import { visibleJobs } from '../room/visible-jobs.ts'
import type { ServerParts } from '../server-parts.ts'
import { hearReport } from '../worker/hear-report.ts'
import type { AddRoute } from './add-routes.ts'
import { askedJobs } from './asked-jobs.ts'
import { jobSummary, jobsPageView, jobView } from './job-view.ts'
import { answer } from './route-handler.ts'

export function jobRoutes(parts: ServerParts, add: AddRoute): void {
  add(routes.submitJob, async ({ params, body, bodyBytes, who }) => {
    const room = await openRoom(parts.rooms, params.room, who, 'submit')
    if ('refused' in room) return room
    const { category, extension, scope, ...request } = body
    const wanted = { category, name: extension, ...(scope !== undefined && { scope }) }
    const submitted = await submitToExtension(parts.submitting, who, room, wanted, {
      requests: [request],
      bodyBytes,
    })
    if ('refused' in submitted) return submitted
    return 'values' in submitted ? answer(200, submitted) : answer(201, submitted.jobs[0])
  })
  add(routes.listRoomJobs, async ({ params, query, who }) => {
    const room = await openRoom(parts.rooms, params.room, who, 'read')
    if ('refused' in room) return room
    const asked = askedJobs(query)
    if ('refused' in asked) return asked
    return answer(200, jobsPageView(await listJobs(parts.store, { room: room.name, ...asked, mayLag: true })))
  })
  add(routes.listAllJobs, async ({ query, who }) => {
    const asked = askedJobs(query)
    return 'refused' in asked
      ? asked
      : answer(200, jobsPageView(await visibleJobs(parts, who, { ...asked, mayLag: true })))
  })
  lookRoutes(parts, add)
  reportRoutes(parts, add)
}

function lookRoutes(parts: ServerParts, add: AddRoute): void {
  const found = async ({ room, id }: { room: string; id: string }, who: Identity) => {
    const entered = await openRoom(parts.rooms, room, who, 'read')
    return 'refused' in entered ? entered : readJob(parts.store, entered.name, id as JobId)
  }
  add(routes.getJob, async ({ params, who }) => {
    const job = await found(params, who)
    if ('refused' in job) return job
    const seen = await seenInRoom(parts.store, job.job)
    return answer(200, { ...jobView(job.job, job.result), ...(seen && { seen }) })
  })
  add(routes.whyJob, async ({ params, who }) => {
    const job = await found(params, who)
    return 'refused' in job
      ? job
      : answer(200, { status: job.job.status, ...(await whyJob(parts.why, job.job)) })
  })
  add(routes.jobEvents, async ({ params, who }) => {
    const job = await found(params, who)
    return 'refused' in job ? job : answer(200, { events: jobHistory(job.job) })
  })
  add(routes.jobLogs, async ({ params, query, who }) => {
    const job = await found(params, who)
    if ('refused' in job) return job
    const { room, id } = job.job.submission
    return answer(200, await readLog(parts.store, room, id, query.after ?? -1))
  })
  add(routes.cancelJob, async ({ params, who }) => {
    const room = await openRoom(parts.rooms, params.room, who, 'submit')
    if ('refused' in room) return room
    const cancelled = await cancelJob(parts.reports, room, who, params.id as JobId)
    return 'refused' in cancelled ? cancelled : answer(202, jobSummary(cancelled))
  })
  add(routes.retryJob, async ({ params, who }) => {
    const room = await openRoom(parts.rooms, params.room, who, 'submit')
    if ('refused' in room) return room
    const retried = await retryJob(parts.submitting, who, room, params.id as JobId)
    return 'refused' in retried ? retried : answer(201, retried)
  })
}

function reportRoutes(parts: ServerParts, add: AddRoute): void {
  add(routes.reportStatus, async ({ params, body, who }) => {
    const room = await openRoom(parts.rooms, params.room, who, 'report')
    if ('refused' in room) return room
    const job = params.id as JobId
    hearReport(parts, who.user, { room: room.name, job, token: body.token as AttemptToken })
    const reported = await reportByRest(parts, who, room, job, body)
    return 'refused' in reported ? reported : answer(200, { status: reported.status })
  })
}
