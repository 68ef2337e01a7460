// Texts that come from workers end up in the job's head, so each has a limit. Too long is cut, never refused: a
// report must not fail because a stack trace was long.

import type { JobError } from './job.ts'

export const textLimits = {
  errorMessage: 2_000,
  errorName: 200,
  errorStack: 8_000,
  /** An ended attempt keeps only this much: a head may hold thirty of them. */
  endedErrorMessage: 500,
  progressMessage: 500,
  rejectReason: 500,
  historyReason: 200,
} as const

export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text
  const cut = text.slice(0, limit - 1)
  // Half a surrogate pair at the cut would make the stored JSON differ from what was read.
  const whole = isHighSurrogate(cut.charCodeAt(cut.length - 1)) ? cut.slice(0, -1) : cut
  return `${whole}…`
}

export function boundedError({ message, name, stack }: JobError): JobError {
  return {
    message: cutText(message, textLimits.errorMessage),
    ...(name !== undefined && { name: cutText(name, textLimits.errorName) }),
    ...(stack !== undefined && { stack: cutText(stack, textLimits.errorStack) }),
  }
}

export function withoutStack({ message, name }: JobError): JobError {
  const short = cutText(message, textLimits.endedErrorMessage)
  return name === undefined ? { message: short } : { message: short, name }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}
