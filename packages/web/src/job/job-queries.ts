// What pages ask about jobs.

import { type clientEvents, type JobView, type PayloadOf, routes, type WhyView } from '@millrace/protocol'
import {
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { call } from '../connection/api.ts'
import { createSignal, type Signal } from '../connection/signal.ts'
import { fetchJobs } from './fetch-jobs.ts'
import { type JobPages, jobKey, jobListKey } from './job-cache.ts'
import type { JobFilter } from './job-filter.ts'
import type { JobListPage } from './job-list-page.ts'
import { isEnded } from './job-row.ts'

export function useJobPages(
  room: string | null,
  filter: JobFilter,
  limit: number,
): UseInfiniteQueryResult<JobPages> {
  return useInfiniteQuery({
    queryKey: jobListKey(room, filter),
    queryFn: ({ pageParam, signal }) => fetchJobs(room, filter, { cursor: pageParam, limit, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: JobListPage) => last.cursor,
    // Rows that did not change are the same objects already; comparing a hundred thousand of them would take a while.
    structuralSharing: false,
  })
}

export function useJob(room: string, id: string): UseQueryResult<JobView> {
  return useQuery({
    queryKey: jobKey(room, id),
    queryFn: ({ signal }) => call(routes.getJob, { params: { room, id }, signal }),
    enabled: id !== '',
  })
}

/** Asked while the job waits; events of the room that move its queue make it be asked again. */
export function useWhy(job: JobView | undefined): UseQueryResult<WhyView> {
  const { room = '', id = '', status } = job ?? {}
  return useQuery({
    queryKey: ['why', room, id],
    queryFn: ({ signal }) => call(routes.whyJob, { params: { room, id }, signal }),
    enabled: status !== undefined && !isEnded(status),
  })
}

export interface JobEventsView {
  readonly events: readonly {
    readonly at: number
    readonly status: JobView['status']
    readonly reason: string
    readonly by?: string
  }[]
}

export function useJobEvents(room: string, id: string): UseQueryResult<JobEventsView> {
  return useQuery({
    queryKey: ['job-events', room, id],
    queryFn: ({ signal }) => call(routes.jobEvents, { params: { room, id }, signal }),
  })
}

export type ToldLines = PayloadOf<typeof clientEvents.jobLogged>

/** The lines that were told last. They are taken up where logs are shown, which most visits never load. */
export const toldLines: Signal<ToldLines | null> = createSignal<ToldLines | null>(null)
