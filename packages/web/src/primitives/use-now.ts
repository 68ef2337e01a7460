// A clock for what ticks on the screen: one timer for everything that shows a duration, and none while nothing does.

import { useSyncExternalStore } from 'react'
import { serverNow } from '../connection/server-clock.ts'

const tickMs = 250
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let now = serverNow()

function subscribe(heard: () => void): () => void {
  listeners.add(heard)
  timer ??= setInterval(tick, tickMs)
  return () => {
    listeners.delete(heard)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick(): void {
  now = serverNow()
  for (const heard of listeners) heard()
}

function read(): number {
  if (timer === undefined) now = serverNow()
  return now
}

const silent = (): (() => void) => () => undefined

/** The server's time; it moves only while `ticking`. */
export function useNow(ticking = true): number {
  return useSyncExternalStore(ticking ? subscribe : silent, ticking ? read : frozen)
}

/** What is said of the present changes on the screen when the words change, and not with every tick. */
export function useNowText(say: (now: number) => string): string {
  return useSyncExternalStore(subscribe, () => say(read()))
}

function frozen(): number {
  return 0
}
