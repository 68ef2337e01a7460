// A refusal is an expected "no": a value with a stable code, never thrown. This catalogue is the only list of codes;
// the HTTP status beside each is what the edge answers. Faults (broken disk, lost connection) are not refusals.

export interface RefusalEntry {
  readonly status: number
  readonly meaning: string
}

export const refusalCatalogue = {
  // job
  job_not_found: { status: 404, meaning: 'There is no such job in this room.' },
  job_ended: { status: 409, meaning: 'The job has reached a terminal state; nothing leaves it.' },
  job_not_assigned: { status: 409, meaning: 'The job is not assigned, so it cannot be started or rejected.' },
  job_not_running: { status: 409, meaning: 'The job is not running.' },
  job_not_pending: { status: 409, meaning: 'The job is not pending, so it cannot be assigned.' },
  job_not_ended: { status: 409, meaning: 'The job has not ended yet, so it cannot be redriven.' },
  job_not_due: { status: 409, meaning: 'The instant this depends on has not come yet.' },
  attempt_superseded: { status: 409, meaning: 'The token is not that of the current attempt; nothing was changed.' },
  idempotency_mismatch: { status: 422, meaning: 'The idempotency key was used before with another body.' },
} as const satisfies Record<string, RefusalEntry>

export type RefusalCode = keyof typeof refusalCatalogue

export interface Refusal {
  readonly refused: RefusalCode
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

export function refuse(
  code: RefusalCode,
  message: string = refusalCatalogue[code].meaning,
  details?: Readonly<Record<string, unknown>>,
): Refusal {
  return details === undefined ? { refused: code, message } : { refused: code, message, details }
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'refused' in value
}
