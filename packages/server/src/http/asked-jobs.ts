// What a query about jobs asks for: its words read, and those that mean nothing refused.

import type { JobFilter, JobStatus, Refusal } from '@millrace/domain'
import type { JobsQuery } from '@millrace/protocol'
import type { JobsQuery as AskedQuery } from '../job/list-jobs.ts'
import { refusedHere } from '../refusal/problem-of.ts'

const jobsPerPage = 50
const statuses: readonly string[] = ['pending', 'assigned', 'running', 'completed', 'failed', 'cancelled']

export type Asked = Omit<AskedQuery, 'room' | 'mayShow' | 'mayLag'>

export function askedJobs(query: JobsQuery): Asked | Refusal {
  const { status, category, extension, submitter, deadLetters, search, since, until, cursor } = query
  const named = status?.split(',').filter((one) => one !== '') ?? []
  const unknown = named.find((one) => !statuses.includes(one))
  if (unknown !== undefined)
    return refusedHere(
      'request_invalid',
      `There is no status ${unknown}; there are ${statuses.join(', ')}.`,
      { where: 'querystring', pointer: '/status' },
    )
  if (cursor !== undefined && !/^job\/[0-9a-f-]{1,64}$/.test(cursor))
    return refusedHere('request_invalid', 'The cursor is not one that a page gave.', {
      where: 'querystring',
      pointer: '/cursor',
    })
  const filter: JobFilter = {
    ...(named.length > 0 && { statuses: named as JobStatus[] }),
    ...(category !== undefined && { category }),
    ...(extension !== undefined && { extension }),
    ...(submitter !== undefined && { submitter }),
    ...(deadLetters === true && { deadLetters }),
    ...(search !== undefined && { text: search }),
  }
  return {
    filter,
    order: query.order ?? 'newest',
    limit: query.limit ?? jobsPerPage,
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(cursor !== undefined && { cursor }),
  }
}
