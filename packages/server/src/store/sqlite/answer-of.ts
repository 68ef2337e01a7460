// An answer for the way out of a store thread: what some work gave, or why it gave nothing.

import type { Answer } from './thread-messages.ts'

export function answerOf(work: () => unknown): Answer {
  try {
    return { value: work() }
  } catch (cause) {
    return faultOf(cause)
  }
}

export function faultOf(cause: unknown): Answer {
  const { name, message } = cause instanceof Error ? cause : new Error(String(cause))
  return { fault: { name, message } }
}
