// A pause: jobs of the extension wait, whoever has slots, until somebody resumes it. What runs goes on. It is for those who
// decide who serves the extension, because its users see nothing but jobs that do not start.

import { isRefusal, type Refusal, refuse } from '../refusal.ts'
import type { Caller } from '../room/caller.ts'
import { enterRoom } from '../room/rights.ts'
import { mayAdmit } from './admission.ts'
import type { Extension, Home } from './extension.ts'

export function pauseExtension(
  extension: Extension,
  home: Home,
  who: Caller,
  now: number,
): Extension | Refusal {
  const refusal = steeringRefusal(extension, home, who)
  if (refusal !== null) return refusal
  // Whoever paused it first is the one to ask about it.
  return extension.paused === undefined ? { ...extension, paused: { by: who.user, at: now } } : extension
}

export function resumeExtension(extension: Extension, home: Home, who: Caller): Extension | Refusal {
  const refusal = steeringRefusal(extension, home, who)
  if (refusal !== null) return refusal
  if (extension.paused === undefined) return extension
  const { paused: _paused, ...resumed } = extension
  return resumed
}

/** For everything that lets jobs of an extension wait or go on. */
export function steeringRefusal(extension: Extension, home: Home, who: Caller): Refusal | null {
  const entered = home === null ? null : enterRoom(home, who, 'read')
  if (isRefusal(entered)) return entered
  if (who.onlyRoom === undefined && mayAdmit(extension, home, who)) return null
  return refuse(
    'extension_forbidden',
    'Only its owner and those who run the room let its jobs wait or go on.',
  )
}
