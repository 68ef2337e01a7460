// What pages ask about workers, and what they do to them.

import { routes, type WorkerView } from '@millrace/protocol'
import { type UseMutationResult, type UseQueryResult, useMutation, useQuery } from '@tanstack/react-query'
import { call } from '../connection/api.ts'
import { queryClient } from '../connection/query-client.ts'
import { serverNow } from '../connection/server-clock.ts'
import { useStirred } from '../connection/stir.ts'
import { nextBeatInMs } from './worker-state.ts'

const workersKey = ['workers'] as const

/** Slots move with jobs, at most so often on the screen. */
const movesMs = 1_000

/**
 * Comings, goings and jobs are told by the feed. A beat is not: a thousand workers would tell of two hundred in a second. So
 * while somebody looks, it is asked for when the next one is due.
 */
export function useWorkers(): UseQueryResult<readonly WorkerView[]> {
  useStirred(workersKey, movesMs)
  return useQuery({
    queryKey: workersKey,
    queryFn: async ({ signal }) => (await call(routes.listWorkers, { signal })).workers,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => nextBeatInMs(state.data ?? [], serverNow()),
  })
}

export type WorkerDeed = 'drain' | 'undrain' | 'disconnect'

const deeds = {
  drain: routes.drainWorker,
  undrain: routes.undrainWorker,
  disconnect: routes.disconnectWorker,
} as const

/** The answer is the worker as it is now; nobody has to wait for the feed to see it. */
export function useWorkerDeed(id: string): UseMutationResult<WorkerView, Error, WorkerDeed> {
  return useMutation({
    mutationFn: (deed: WorkerDeed) => call(deeds[deed], { params: { id } }),
    onSuccess: (worker) =>
      queryClient.setQueryData<readonly WorkerView[]>(workersKey, (workers) =>
        workers?.map((one) => (one.id === worker.id ? worker : one)),
      ),
  })
}
