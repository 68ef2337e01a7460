// How much, how large and how often. Every refusal names the limit it rests on.

import {
  breakerSettingLimits,
  defaultBreakerSettings,
  defaultPolicy,
  policyLimits,
  rateLimits,
  registrationRate,
  schemaLimits,
} from '@millrace/domain'
import * as kinds from './kinds.ts'
import type { Options } from './option.ts'

type LimitOptions = Pick<
  Options,
  | 'jobDataMaxBytes'
  | 'resultMaxBytes'
  | 'schemaMaxBytes'
  | 'bulkMaxJobs'
  | 'bulkMaxBytes'
  | 'logLinesKept'
  | 'logLineMaxBytes'
  | 'registrationsPerMinute'
  | 'breakerFailures'
  | 'breakerOpenMs'
  | 'runLimitMs'
  | 'auditRetentionSeconds'
  | 'auditMaxEntries'
>

const group = 'Limits'

const mb = 1_000_000
const daySeconds = 86_400

export const limitOptions: LimitOptions = {
  runLimitMs: {
    group,
    flag: 'run-limit-ms',
    env: [{ name: 'MILLRACE_RUN_LIMIT_MS' }, { name: 'WORKER_TIMEOUT', unit: 's' }],
    kind: kinds.quantity('ms', policyLimits.runLimitMs),
    default: { value: defaultPolicy.runLimitMs },
    is: 'How long a job may run before it is killed, where neither its extension nor the job says otherwise.',
    more: 'More: a job that hangs keeps its slot for longer.',
    less: 'Less: long jobs are killed and tried again in vain.',
  },
  jobDataMaxBytes: {
    group,
    flag: 'job-data-max-bytes',
    env: [{ name: 'MILLRACE_JOB_DATA_MAX_BYTES' }, { name: 'JOB_DATA_MAX_SIZE' }],
    kind: kinds.quantity('bytes', { min: 1_000, max: 64 * mb }),
    default: { value: mb },
    is: "The largest input of one job, in bytes of JSON; larger things belong into the room's frames.",
    more: 'More: every list, retry and push of such a job moves that much.',
    less: 'Less: extensions with large forms are refused.',
  },
  resultMaxBytes: {
    group,
    flag: 'result-max-bytes',
    env: [{ name: 'MILLRACE_RESULT_MAX_BYTES' }],
    kind: kinds.quantity('bytes', { min: 1_000, max: 64 * mb }),
    default: { value: mb },
    is: 'The largest result of one job, in bytes of JSON.',
    more: 'More: the store grows by that much for each job it keeps.',
    less: 'Less: jobs with larger results fail after they have run.',
  },
  schemaMaxBytes: {
    group,
    flag: 'schema-max-bytes',
    env: [{ name: 'MILLRACE_SCHEMA_MAX_BYTES' }, { name: 'EXTENSION_SCHEMA_MAX_SIZE' }],
    kind: kinds.quantity('bytes', { min: 1_000, max: 10 * mb }),
    default: { value: schemaLimits.maxBytes },
    is: 'The largest JSON Schema of an extension, in bytes.',
    more: 'More: a hostile worker can make the server compile more.',
    less: 'Less: extensions with large forms cannot register.',
  },
  bulkMaxJobs: {
    group,
    flag: 'bulk-max-jobs',
    env: [{ name: 'MILLRACE_BULK_MAX_JOBS' }],
    kind: kinds.quantity('count', { min: 1, max: 10_000 }),
    default: { value: 1_000 },
    is: 'How many jobs one request may submit, all or nothing.',
    more: 'More: one commit takes longer, and others wait for it.',
    less: 'Less: many jobs take more requests.',
  },
  bulkMaxBytes: {
    group,
    flag: 'bulk-max-bytes',
    env: [{ name: 'MILLRACE_BULK_MAX_BYTES' }],
    kind: kinds.quantity('bytes', { min: 1_000, max: 256 * mb }),
    default: { value: 8 * mb },
    is: 'The largest request that submits many jobs.',
    more: 'More: each such request takes that much memory several times over.',
    less: 'Less: many jobs take more requests.',
  },
  logLinesKept: {
    group,
    flag: 'log-lines-kept',
    env: [{ name: 'MILLRACE_LOG_LINES_KEPT' }],
    kind: kinds.quantity('count', { min: 0, max: 100_000 }),
    default: { value: 1_000 },
    is: 'How many of the newest log lines of a job are kept.',
    more: 'More: the store grows by that much for each job that talks.',
    less: 'Less: the beginning of a log is lost sooner.',
  },
  logLineMaxBytes: {
    group,
    flag: 'log-line-max-bytes',
    env: [{ name: 'MILLRACE_LOG_LINE_MAX_BYTES' }],
    kind: kinds.quantity('bytes', { min: 100, max: mb }),
    default: { value: 10_000 },
    is: 'The length at which a log line is cut.',
    more: 'More: a single line can fill a screen and the store.',
    less: 'Less: stack traces lose their end.',
  },
  registrationsPerMinute: {
    group,
    flag: 'registrations-per-minute',
    env: [{ name: 'MILLRACE_REGISTRATIONS_PER_MINUTE' }, { name: 'EXTENSION_REGISTRATION_RATE_LIMIT' }],
    kind: kinds.quantity('per minute', rateLimits.count),
    default: { value: registrationRate.count },
    is: 'How many extensions one user may register in a minute.',
    more: 'More: a worker in a restart loop costs more compiled schemas.',
    less: 'Less: a worker with many extensions takes minutes to start.',
  },
  breakerFailures: {
    group,
    flag: 'breaker-failures',
    env: [{ name: 'MILLRACE_BREAKER_FAILURES' }],
    kind: kinds.quantity('count', breakerSettingLimits.failuresToOpen),
    default: { value: defaultBreakerSettings.failuresToOpen },
    is: 'How many failures in a row stop an extension for a while, where it does not say itself.',
    more: 'More: an extension that is broken spends the attempts of more jobs.',
    less: 'Less: a few jobs with bad input make those of everybody wait.',
  },
  breakerOpenMs: {
    group,
    flag: 'breaker-open-ms',
    env: [{ name: 'MILLRACE_BREAKER_OPEN_MS' }],
    kind: kinds.quantity('ms', breakerSettingLimits.openMs),
    default: { value: defaultBreakerSettings.openMs },
    is: 'How long such an extension is stopped before one of its jobs is tried.',
    more: 'More: its jobs wait for longer after it was mended, unless somebody resets it.',
    less: 'Less: while it is broken, a job fails that much more often.',
  },
  auditRetentionSeconds: {
    group,
    flag: 'audit-retention-seconds',
    env: [{ name: 'MILLRACE_AUDIT_RETENTION_SECONDS' }],
    kind: kinds.quantity('s', { min: 3_600, max: 3_650 * daySeconds }),
    default: { value: 90 * daySeconds },
    is: 'How long the audit trail keeps what people did.',
    more: 'More: the store grows by a few hundred bytes for each sign-in and decision.',
    less: 'Less: what was done longer ago cannot be looked up any more.',
  },
  auditMaxEntries: {
    group,
    flag: 'audit-max-entries',
    env: [{ name: 'MILLRACE_AUDIT_MAX_ENTRIES' }],
    kind: kinds.quantity('count', { min: 100, max: 10_000_000 }),
    default: { value: 100_000 },
    is: 'How many entries the audit trail keeps in each room, and of what belongs to none; the oldest go first.',
    more: 'More: somebody who acts without end fills the store further.',
    less: 'Less: somebody who acts without end pushes out sooner what was done before.',
  },
}
