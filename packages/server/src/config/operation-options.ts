// How the server runs and what it tells those who operate it.

import { logLevels } from './config.ts'
import { isLoopback } from './derived-config.ts'
import * as kinds from './kinds.ts'
import type { Options } from './option.ts'

type OperationOptions = Pick<
  Options,
  'pollIntervalMs' | 'shutdownTimeoutMs' | 'logLevel' | 'docs' | 'metrics' | 'metricsToken'
>

const group = 'Running it'

const onLoopback = {
  derive: ({ host }: { readonly host: string }): boolean => isLoopback(host),
  says: 'on when the host is a loopback address',
} as const

const metricsToken = kinds.text("16 to 512 letters, digits, '-', '_', '.' and '~'", (value) =>
  /^[A-Za-z0-9._~-]{16,512}$/.test(value),
)

export const operationOptions: OperationOptions = {
  pollIntervalMs: {
    group,
    flag: 'poll-interval-ms',
    env: [{ name: 'MILLRACE_POLL_INTERVAL_MS' }, { name: 'POLL_INTERVAL', unit: 's' }],
    kind: kinds.quantity('ms', { min: 10, max: 60_000 }),
    default: { value: 1_000 },
    is: 'How often placement looks by itself; it is woken by events, so this is only the net below.',
    more: 'More: after a lost wake-up, jobs wait for that long.',
    less: 'Less: an idle server works for nothing.',
  },
  shutdownTimeoutMs: {
    group,
    flag: 'shutdown-timeout-ms',
    env: [{ name: 'MILLRACE_SHUTDOWN_TIMEOUT_MS' }, { name: 'SHUTDOWN_TIMEOUT', unit: 's' }],
    kind: kinds.quantity('ms', { min: 0, max: 3_600_000 }),
    default: { value: 30_000 },
    is: 'How long a server that was told to stop waits for running jobs before it requeues them.',
    more: 'More: a restart takes longer; whoever runs the server must wait as long before killing it.',
    less: 'Less: more jobs begin anew elsewhere.',
  },
  logLevel: {
    group,
    flag: 'log-level',
    env: [{ name: 'MILLRACE_LOG_LEVEL' }, { name: 'LOG_LEVEL' }],
    kind: kinds.oneOf(logLevels),
    default: { value: 'info' },
    is: 'The least important thing that is logged.',
    more: 'With debug every request and assignment is a line.',
    less: 'With error a server that degrades says nothing until it fails.',
  },
  docs: {
    group,
    flag: 'docs',
    env: [{ name: 'MILLRACE_DOCS' }],
    kind: kinds.onOrOff,
    default: onLoopback,
    is: 'Whether /docs and /openapi.json are served.',
    more: 'On: whoever reaches the server can read its interface.',
    less: 'Off: both addresses do not exist.',
  },
  metrics: {
    group,
    flag: 'metrics',
    env: [{ name: 'MILLRACE_METRICS' }],
    kind: kinds.onOrOff,
    default: {
      derive: ({ host, metricsToken }) => isLoopback(host) || metricsToken !== null,
      says: 'on when the host is a loopback address or metricsToken is set',
    },
    is: 'Whether /metrics is served for Prometheus.',
    more: 'On: whoever reaches the server, and has metricsToken if it is set, learns how many jobs and workers there are.',
    less: 'Off: the address does not exist.',
  },
  metricsToken: {
    group,
    flag: null,
    env: [{ name: 'MILLRACE_METRICS_TOKEN' }],
    kind: kinds.optional(kinds.secret(metricsToken)),
    default: { value: null },
    is: 'The bearer token that /metrics asks for.',
    more: 'Set, the figures can be served on an address that others reach.',
    less: 'Not set, /metrics takes no credential.',
  },
}
