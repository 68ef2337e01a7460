// The one connection of the app: open while somebody is signed in, and wired to what has been fetched.

import type { Query } from '@tanstack/react-query'
import { useEffect } from 'react'
import { atMostEvery } from '../connection/at-most-every.ts'
import { fetchAnew } from '../connection/fetch-anew.ts'
import { FrameBatch } from '../connection/frame-batch.ts'
import { type LiveSink, LiveSocket, type LiveState } from '../connection/live-socket.ts'
import { queryClient } from '../connection/query-client.ts'
import { serverNow } from '../connection/server-clock.ts'
import { endSession, session } from '../connection/session.ts'
import { createSignal, type Signal, useSignal } from '../connection/signal.ts'
import { stir } from '../connection/stir.ts'
import { applyJobPatches, applyProgress, type Progressed } from '../job/job-cache.ts'
import { toldLines } from '../job/job-queries.ts'
import type { JobPatch } from '../job/job-row.ts'
import { awaitedEnds } from '../job/notice-ends.ts'

const live: Signal<LiveSocket | null> = createSignal<LiveSocket | null>(null)
const away: Signal<LiveState> = createSignal<LiveState>({ word: 'offline', since: Date.now() })

const patches = new FrameBatch<JobPatch>((gathered) => {
  applyJobPatches(queryClient, gathered)
  stir()
  awaitedEnds.hear(gathered)
})
const progressed = new FrameBatch<Progressed>((gathered) => applyProgress(queryClient, gathered))

/** Deep lists are not fetched again page by page: what is below comes back when somebody scrolls there. */
const pagesKept = 5

/** Lists that are fetched whole, once for all that changes in a while. */
const listsMs = 1_000
const roomsAgain = atMostEvery(listsMs, () => void fetchAnew(queryClient, { queryKey: ['rooms'] }))
const accountsAgain = atMostEvery(listsMs, () => {
  for (const kind of ['users', 'tokens']) void fetchAnew(queryClient, { queryKey: [kind] })
})

const sink: LiveSink = {
  jobs: (room, events) => patches.add(events.map((event) => ({ ...event, room }) as JobPatch)),
  progress: ({ room, jobs }) => progressed.add(jobs.map((job) => ({ ...job, room, at: serverNow() }))),
  log: toldLines.set,
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
    // Whatever somebody did to accounts and tokens stands in the trail.
    if (what === 'audit') accountsAgain.call()
    stir()
  },
  roomsChanged: roomsAgain.call,
  missed: async (room) => {
    trimLists()
    stir()
    const concerns = ({ queryKey: [kind, of] }: Query): boolean =>
      (of ?? null) === room || ((kind === 'jobs' || kind === 'fresh') && of === null)
    // What waited beside the lists comes with them.
    queryClient.setQueriesData({ queryKey: ['fresh'], predicate: concerns }, [])
    const ends = room === null ? undefined : awaitedEnds.missed(room)
    await fetchAnew(queryClient, { predicate: concerns })
    await ends
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
  const socket = token === undefined ? null : new LiveSocket(token, sink)
  live.set(socket)
  awaitedEnds.watchWith(socket && ((room) => socket.watch(room)))
}

export function startLive(): void {
  let { token, user } = session.get() ?? {}
  follow()
  session.subscribe(() => {
    const next = session.get()
    if (next?.token === token) return
    token = next?.token
    // Whoever signs in again after their session expired still waits for what they began.
    if (next && next.user !== user) awaitedEnds.forget()
    user = next?.user ?? user
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
