// A registration between its form on the wire and the use-case, for both doors: the socket and REST.

import { beatIntervalMs, leaseMs } from '@millrace/domain'
import type { Arrival, Arrived, OfferedExtension } from './register-worker.ts'
import type { AttemptName } from './resume-worker.ts'
import type { Channel } from './roster.ts'
import type { ChannelKind, Served } from './worker-record.ts'

export interface RegistrationRequest {
  readonly worker: {
    readonly id: string
    readonly kind?: Arrival['enrolment']['kind']
    readonly offers?: Arrival['enrolment']['offers']
    readonly attempts?: readonly AttemptName[]
  }
  readonly extensions: readonly OfferedExtension[]
}

export function arrivalOf(
  { worker, extensions }: RegistrationRequest,
  channel: Channel,
  channelKind: ChannelKind,
): Arrival {
  const { id, kind = 'client', offers = {}, attempts = [] } = worker
  return { enrolment: { id, kind, offers }, attempts, extensions, channel, channelKind }
}

export interface ArrivedView {
  readonly worker: string
  readonly extensions: Served[]
  readonly resumed: AttemptName[]
  readonly dropped: AttemptName[]
  readonly beatMs: number
  readonly leaseMs: number
}

export function arrivedView({ worker, serves, resumed, dropped }: Arrived): ArrivedView {
  return {
    worker,
    extensions: [...serves],
    resumed: [...resumed],
    dropped: [...dropped],
    beatMs: beatIntervalMs,
    leaseMs,
  }
}
