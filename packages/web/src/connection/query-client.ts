// What has been fetched. The feed keeps it true, so nothing is fetched twice because time has passed or a window was
// looked at again.

import { QueryClient } from '@tanstack/react-query'
import { ApiProblem } from './api-problem.ts'

/** A server that restarts is back within seconds; a refusal stays one. */
const tries = 3

export const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 5 * 60_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      networkMode: 'always',
      retry: (failed, fault) => isPassing(fault) && failed < tries,
      retryDelay: (failed) => 300 * 2 ** failed,
    },
    mutations: { networkMode: 'always' },
  },
})

function isPassing(fault: unknown): boolean {
  return fault instanceof ApiProblem && (fault.status === 0 || fault.status === 502 || fault.status === 503)
}
