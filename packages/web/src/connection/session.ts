// Who is signed in, kept over reloads and the same in every tab.

import type { Session } from '@millrace/protocol'
import { createSignal, type Signal } from './signal.ts'

const key = 'millrace.session'

export const session: Signal<Session | null> = createSignal(readSession(), keep)

/** Why the last session ended, for the sign-in page to say. */
export const sessionEnd: Signal<'expired' | 'left' | null> = createSignal<'expired' | 'left' | null>(null)

export function beginSession(begun: Session): void {
  sessionEnd.set(null)
  session.set(begun)
}

let isReplaced = false

/** What makes a session void may begin another: until it has, it is no news that the old one no longer holds. */
export async function replaceSession(begin: () => Promise<Session>): Promise<void> {
  isReplaced = true
  try {
    beginSession(await begin())
  } finally {
    isReplaced = false
  }
}

/** An answer that comes late, to a token that was replaced since, ends nothing. */
export function endSession(reason: 'expired' | 'left', token?: string): void {
  if (isReplaced && reason === 'expired') return
  if (token !== undefined && session.get()?.token !== token) return
  sessionEnd.set(reason)
  session.set(null)
}

globalThis.addEventListener?.('storage', (event) => {
  if (event.key === key) session.set(readSession())
})

function readSession(): Session | null {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? 'null') as Session | null
    return kept !== null && kept.expiresAt > Date.now() ? kept : null
  } catch {
    return null
  }
}

/** A browser that keeps nothing still has the session until the tab is closed. */
function keep(value: Session | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(value))
  } catch {
    return
  }
}
