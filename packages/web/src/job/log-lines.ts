// The log of a job: what was fetched, with the lines that were told since and while the answer was on its way.

import { type LogLine, routes } from '@millrace/protocol'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { call } from '../connection/api.ts'
import { fetchAnew } from '../connection/fetch-anew.ts'
import { PatchJournal } from '../connection/patch-journal.ts'
import { queryClient } from '../connection/query-client.ts'
import { type ToldLines, toldLines } from './job-queries.ts'
import { isWhole, mergeLog } from './merge-log.ts'

interface JobLogsView {
  readonly lines: readonly LogLine[]
  readonly dropped: number
}

const logsKey = (room: string, id: string): readonly string[] => ['logs', room, id]

const journal = new PatchJournal<ToldLines>(() => Date.now())

toldLines.subscribe(() => {
  const told = toldLines.get()
  if (!told) return
  journal.note([told])
  const queryKey = logsKey(told.room, told.id)
  const logs = queryClient.getQueryData<JobLogsView>(queryKey)
  if (!logs) return
  const lines = mergeLog(logs.lines, told.lines)
  queryClient.setQueryData<JobLogsView>(queryKey, { ...logs, lines })
  if (isWhole(logs.lines, logs.dropped) && !isWhole(lines, logs.dropped))
    void fetchAnew(queryClient, { queryKey })
})

export function useJobLogs(room: string, id: string): UseQueryResult<JobLogsView> {
  return useQuery({
    queryKey: logsKey(room, id),
    queryFn: async ({ signal }) => {
      const logs = await fetchLogs(room, id, signal)
      // Read before the join that the lines were told by, a line came in between.
      return isWhole(logs.lines, logs.dropped) ? logs : await fetchLogs(room, id, signal)
    },
  })
}

function fetchLogs(room: string, id: string, signal: AbortSignal): Promise<JobLogsView> {
  return journal.during<JobLogsView>(
    () => call(routes.jobLogs, { params: { room, id }, query: {}, signal }),
    (logs, heard) => ({ ...logs, lines: linesOf(id, heard).reduce(mergeLog, logs.lines) }),
  )
}

function linesOf(id: string, heard: readonly ToldLines[]): readonly (readonly LogLine[])[] {
  return heard.filter((told) => told.id === id).map(({ lines }) => lines)
}
