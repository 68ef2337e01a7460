// The one connection of the app: open while somebody is signed in, and wired to what has been fetched.

import { useEffect } from 'react'
import { fetchAnew } from '../connection/fetch-anew.ts'
import { FrameBatch } from '../connection/frame-batch.ts'
import { type LiveSink, LiveSocket, type LiveState } from '../connection/live-socket.ts'
import { queryClient } from '../connection/query-client.ts'
import { serverNow } from '../connection/server-clock.ts'
import { endSession, session } from '../connection/session.ts'
import { createSignal, type Signal, useSignal } from '../connection/signal.ts'
import { stir } from '../connection/stir.ts'
import { applyJobPatches, applyProgress, type Progressed } from '../job/job-cache.ts'
import { type JobLogsView, logsKey } from '../job/job-queries.ts'
import type { JobPatch } from '../job/job-row.ts'
import { mergeLog } from '../job/merge-log.ts'
import { noticeEnds } from '../job/notice-ends.ts'

const live: Signal<LiveSocket | null> = createSignal<LiveSocket | null>(null)
const away: Signal<LiveState> = createSignal<LiveState>({ word: 'offline', since: Date.now() })

const patches = new FrameBatch<JobPatch>((gathered) => {
  applyJobPatches(queryClient, gathered)
  stir()
  noticeEnds(queryClient, gathered)
})
const progressed = new FrameBatch<Progressed>((gathered) => applyProgress(queryClient, gathered))

/** Deep lists are not fetched again page by page: what is below comes back when somebody scrolls there. */
const pagesKept = 5

const sink: LiveSink = {
  jobs: (room, events) => patches.add(events.map((event) => ({ ...event, room }) as JobPatch)),
  progress: ({ room, jobs }) => progressed.add(jobs.map((job) => ({ ...job, room, at: serverNow() }))),
  log: ({ room, id, lines }) =>
    queryClient.setQueryData<JobLogsView>(
      logsKey(room, id),
      (logs) => logs && { ...logs, lines: mergeLog(logs.lines, lines) },
    ),
  presence: (told) => queryClient.setQueryData(['presence', told.room], told),
  changed: (what, room) => {
    const keys = {
      extensions: ['extensions'],
      workers: ['workers'],
      locks: ['locks'],
      room: ['room'],
      values: ['values'],
      audit: ['audit'],
    }
    const key = room === null ? keys[what] : [...keys[what], room]
    void fetchAnew(queryClient, { queryKey: key })
    if (what === 'room') void queryClient.invalidateQueries({ queryKey: ['rooms'] })
    stir()
  },
  missed: (room) => {
    trimLists()
    stir()
    return fetchAnew(queryClient, {
      predicate: ({ queryKey: [kind, of] }) => (of ?? null) === room || (kind === 'jobs' && of === null),
    })
  },
  refused: () => endSession('expired'),
}

function trimLists(): void {
  for (const list of queryClient.getQueryCache().findAll({ queryKey: ['jobs'] })) {
    const data = list.state.data as { pages: unknown[]; pageParams: unknown[] } | undefined
    if (!data || data.pages.length <= pagesKept) continue
    const { pages, pageParams } = data
    list.setData({ pages: pages.slice(0, pagesKept), pageParams: pageParams.slice(0, pagesKept) })
  }
}

function follow(): void {
  live.get()?.close()
  const token = session.get()?.token
  live.set(token === undefined ? null : new LiveSocket(token, sink))
}

export function startLive(): void {
  let token = session.get()?.token
  follow()
  session.subscribe(() => {
    if (session.get()?.token === token) return
    token = session.get()?.token
    queryClient.clear()
    follow()
  })
}

export function useLiveState(): LiveState {
  return useSignal(useSignal(live)?.state ?? away)
}

/** Hears of a room, and of the log lines of a job in it, while a component is there. */
export function useWatch(room: string | null, job?: string): void {
  const socket = useSignal(live)
  useEffect(() => (room === null ? undefined : socket?.watch(room, job)), [socket, room, job])
}

/** The same for many rooms at once. */
export function useWatchAll(rooms: readonly string[]): void {
  const socket = useSignal(live)
  const names = rooms.join('\n')
  useEffect(() => {
    if (!socket || names === '') return
    const releases = names.split('\n').map((room) => socket.watch(room))
    return () => {
      for (const release of releases) release()
    }
  }, [socket, names])
}
