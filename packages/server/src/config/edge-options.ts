// What one client, one room or one disk may cost the others: rates, connections, patience, and when new jobs have to wait.

import { rateLimits } from '@millrace/domain'
import * as kinds from './kinds.ts'
import type { Options } from './option.ts'

type EdgeOptions = Pick<
  Options,
  | 'signInTriesPerAccount'
  | 'signInTriesPerAddress'
  | 'guestEntriesPerMinute'
  | 'requestsPerMinute'
  | 'messagesPerMinute'
  | 'uploadBytesPerMinute'
  | 'logBytesPerMinute'
  | 'maxConnections'
  | 'maxConnectionsPerAddress'
  | 'maxConnectionsPerCredential'
  | 'sendBufferMaxBytes'
  | 'headerTimeoutMs'
  | 'requestTimeoutMs'
  | 'roomMaxPending'
  | 'intakeMaxJobs'
  | 'intakeMaxDelayMs'
  | 'diskReserveBytes'
>

const group = 'What one may cost the others'

const mb = 1_000_000

/** Whoever takes most of the connections leaves some for the others. */
const mostConnections = {
  derive: ({ maxConnections }: { readonly maxConnections: number }): number =>
    Math.max(1, Math.floor(maxConnections * 0.8)),
  says: '80 % of maxConnections',
} as const

const connections = kinds.quantity('count', { min: 1, max: 1_000_000 })

export const edgeOptions: EdgeOptions = {
  signInTriesPerAccount: {
    group,
    flag: 'sign-in-tries-per-account',
    env: [{ name: 'MILLRACE_SIGN_IN_TRIES_PER_ACCOUNT' }],
    kind: kinds.quantity('count', { min: 1, max: 1_000_000 }),
    default: { value: 5 },
    is: 'How many sign-ins to one account may fail before each further one doubles the wait, up to a minute.',
    more: 'More: a password is guessed that much faster.',
    less: 'Less: who mistypes waits sooner, and others can make somebody wait sooner.',
  },
  signInTriesPerAddress: {
    group,
    flag: 'sign-in-tries-per-address',
    env: [{ name: 'MILLRACE_SIGN_IN_TRIES_PER_ADDRESS' }],
    kind: kinds.quantity('count', { min: 1, max: 1_000_000 }),
    default: { value: 50 },
    is: 'The same for sign-ins and login codes from one address, whichever account they name.',
    more: 'More: one machine tries more accounts.',
    less: 'Less: people behind one address wait for one another; behind a proxy, set trustProxy.',
  },
  guestEntriesPerMinute: {
    group,
    flag: 'guest-entries-per-minute',
    env: [{ name: 'MILLRACE_GUEST_ENTRIES_PER_MINUTE' }],
    kind: kinds.quantity('per minute', rateLimits.count),
    default: { value: 60 },
    is: 'How many guests may enter from one address in a minute.',
    more: 'More: who is held to a rate enters anew and has another.',
    less: 'Less: a class behind one address takes longer to enter.',
  },
  requestsPerMinute: {
    group,
    flag: 'requests-per-minute',
    env: [{ name: 'MILLRACE_REQUESTS_PER_MINUTE' }],
    kind: kinds.quantity('per minute', { min: 60, max: 100_000_000 }),
    default: { value: 120_000 },
    is: 'How many requests one credential may send in a minute, a sixth of them at once; a bulk is one.',
    more: 'More: a program in a loop takes more from everybody.',
    less: 'Less: pages and scripts that ask often are refused.',
  },
  messagesPerMinute: {
    group,
    flag: 'messages-per-minute',
    env: [{ name: 'MILLRACE_MESSAGES_PER_MINUTE' }],
    kind: kinds.quantity('per minute', { min: 60, max: 100_000_000 }),
    default: { value: 120_000 },
    is: 'How many messages one socket may send in a minute, a sixth of them and at most 1,000 at once; a batch of reports is one.',
    more: 'More: a worker that does not batch its reports costs more.',
    less: 'Less: such a worker is refused, and cut if it goes on.',
  },
  uploadBytesPerMinute: {
    group,
    flag: 'upload-bytes-per-minute',
    env: [{ name: 'MILLRACE_UPLOAD_BYTES_PER_MINUTE' }],
    kind: kinds.quantity('per minute', { min: 1_000_000, max: 1_000_000_000_000 }),
    default: { value: 240_000_000 },
    is: 'How many bytes one user may send in requests in a minute, a fifteenth of it or the largest body at once; a body whose length is not said counts as the largest that its route takes.',
    more: 'More: one who sends large bodies without a break makes everybody wait.',
    less: 'Less: jobs with much data take longer to submit.',
  },
  logBytesPerMinute: {
    group,
    flag: 'log-bytes-per-minute',
    env: [{ name: 'MILLRACE_LOG_BYTES_PER_MINUTE' }],
    kind: kinds.quantity('per minute', { min: 100_000, max: 1_000_000_000_000 }),
    default: { value: 120_000_000 },
    is: 'How many bytes the jobs of one room may log in a minute, a fifteenth of it or one message at once; lines above it wait, and those far above it are dropped.',
    more: 'More: a job that prints in a loop makes other rooms wait.',
    less: 'Less: lines come later, and of a job that prints much its worker keeps the last thousand.',
  },
  maxConnections: {
    group,
    flag: 'max-connections',
    env: [{ name: 'MILLRACE_MAX_CONNECTIONS' }],
    kind: connections,
    default: { value: 10_000 },
    is: 'How many sockets may be connected to this replica at once.',
    more: 'More: each takes memory and a file descriptor, of which the system may allow fewer.',
    less: 'Less: browsers and workers are refused sooner.',
  },
  maxConnectionsPerAddress: {
    group,
    flag: 'max-connections-per-address',
    env: [{ name: 'MILLRACE_MAX_CONNECTIONS_PER_ADDRESS' }],
    kind: connections,
    default: mostConnections,
    is: 'How many of them may come from one address.',
    more: 'More: one machine can take the connections of all others.',
    less: 'Less: a cluster node with many workers, or a proxy that is not in trustProxy, is refused sooner.',
  },
  maxConnectionsPerCredential: {
    group,
    flag: 'max-connections-per-credential',
    env: [{ name: 'MILLRACE_MAX_CONNECTIONS_PER_CREDENTIAL' }],
    kind: connections,
    default: mostConnections,
    is: 'How many of them one token may open.',
    more: 'More: one user can take the connections of all others.',
    less: 'Less: workers that share a token are refused sooner.',
  },
  sendBufferMaxBytes: {
    group,
    flag: 'send-buffer-max-bytes',
    env: [{ name: 'MILLRACE_SEND_BUFFER_MAX_BYTES' }],
    kind: kinds.quantity('bytes', { min: 10_000, max: 4_000 * mb }),
    default: { value: 16 * mb },
    is: 'How much may wait for a socket that does not read before it is cut; it asks anew when it returns.',
    more: 'More: each such socket takes that much memory.',
    less: 'Less: a worker on a slow line is cut while it is given large jobs.',
  },
  headerTimeoutMs: {
    group,
    flag: 'header-timeout-ms',
    env: [{ name: 'MILLRACE_HEADER_TIMEOUT_MS' }],
    kind: kinds.quantity('ms', { min: 100, max: 600_000 }),
    default: { value: 10_000 },
    is: 'How long a connection has for the head of its request, and a socket for its credential.',
    more: 'More: connections that say nothing are kept for longer.',
    less: 'Less: clients on bad lines are cut off.',
  },
  requestTimeoutMs: {
    group,
    flag: 'request-timeout-ms',
    env: [{ name: 'MILLRACE_REQUEST_TIMEOUT_MS' }],
    kind: kinds.quantity('ms', { min: 100, max: 3_600_000 }),
    default: { value: 60_000 },
    is: 'How long a whole request may take to arrive.',
    more: 'More: connections that send a byte now and then are kept for longer.',
    less: 'Less: large submits over slow lines do not get through.',
  },
  roomMaxPending: {
    group,
    flag: 'room-max-pending',
    env: [{ name: 'MILLRACE_ROOM_MAX_PENDING' }],
    kind: kinds.quantity('count', { min: 1, max: 100_000_000 }),
    default: { value: 200_000 },
    is: 'How many jobs may wait in one room, and how many delayed ones beside them.',
    more: 'More: one room can fill the store, and the last job of its queue waits for longer.',
    less: 'Less: submits are told to come back later, with 429.',
  },
  intakeMaxJobs: {
    group,
    flag: 'intake-max-jobs',
    env: [{ name: 'MILLRACE_INTAKE_MAX_JOBS' }],
    kind: kinds.quantity('count', { min: 1, max: 10_000_000 }),
    default: { value: 50_000 },
    is: 'How many submitted jobs may be on their way to the store before further ones are refused with 503.',
    more: 'More: a slow disk or Redis makes them all wait, and they take memory.',
    less: 'Less: short bursts are refused.',
  },
  intakeMaxDelayMs: {
    group,
    flag: 'intake-max-delay-ms',
    env: [{ name: 'MILLRACE_INTAKE_MAX_DELAY_MS' }],
    kind: kinds.quantity('ms', { min: 10, max: 60_000 }),
    default: { value: 1_000 },
    is: 'How late the event loop may be, turn after turn, before new jobs are refused with 503.',
    more: 'More: beats and reports wait as long behind a flood of submits.',
    less: 'Less: a machine that is busy with other things refuses jobs.',
  },
  diskReserveBytes: {
    group,
    flag: 'disk-reserve-bytes',
    env: [{ name: 'MILLRACE_DISK_RESERVE_BYTES' }],
    kind: kinds.quantity('bytes', { min: 0, max: 1_000_000 * mb }),
    default: { value: 100 * mb },
    is: "How much of the embedded store's disk is kept free for finishing what it has; new jobs are refused below it.",
    more: 'More: new jobs are refused sooner on a disk that fills up.',
    less: 'Less: on a full disk the results of running jobs have to wait for somebody to make room.',
  },
}
