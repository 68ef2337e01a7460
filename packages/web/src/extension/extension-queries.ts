// What pages ask about extensions.

import { type ExtensionView, type JobStatus, routes, type Scope } from '@millrace/protocol'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { call } from '../connection/api.ts'

export interface ExtensionRef {
  readonly scope: Scope
  readonly category: string
  readonly name: string
}

export function keyOfExtension({ scope, category, name }: ExtensionRef): string {
  return `${scope}/${category}/${name}`
}

export function useExtensions(room: string | null): UseQueryResult<readonly ExtensionView[]> {
  return useQuery({
    queryKey: ['extensions', room],
    queryFn: async ({ signal }) =>
      (await call(routes.listExtensions, { params: { room: room ?? '' }, signal })).extensions,
    enabled: room !== null,
  })
}

export interface LastValues {
  readonly values: unknown
  readonly at: number | null
}

/** What I submitted last. */
export function useValues(room: string, ref: ExtensionRef): UseQueryResult<LastValues> {
  const { scope, category, name } = ref
  return useQuery({
    queryKey: ['values', room, keyOfExtension(ref)],
    queryFn: ({ signal }) => call(routes.getValues, { params: { room, scope, category, name }, signal }),
    refetchOnMount: 'always',
  })
}

export interface RecentInput {
  readonly data: unknown
  readonly at: number
  readonly job: string
  readonly status: JobStatus
}

/** The last ones of mine that differ. */
export function useRecentInputs(room: string, ref: ExtensionRef): UseQueryResult<readonly RecentInput[]> {
  const { scope, category, name } = ref
  return useQuery({
    queryKey: ['values', room, keyOfExtension(ref), 'recent'],
    queryFn: async ({ signal }) =>
      (await call(routes.recentInputs, { params: { room, scope, category, name }, signal })).inputs,
    refetchOnMount: 'always',
  })
}
