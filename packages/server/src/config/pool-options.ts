// The pool that the server runs beside itself, and how the slots of all pools are shared out.

import * as kinds from './kinds.ts'
import type { Options } from './option.ts'

type PoolOptions = Pick<
  Options,
  'poolSlots' | 'poolRunnerMemoryMb' | 'poolSweepMs' | 'poolShortShare' | 'poolShortMs' | 'poolHoweverBusy'
>

const group = 'The pool'

export const poolOptions: PoolOptions = {
  poolSlots: {
    group,
    flag: 'pool-slots',
    env: [{ name: 'MILLRACE_POOL_SLOTS' }, { name: 'MAX_CONCURRENCY' }],
    kind: kinds.quantity('count', { min: 0, max: 1_000 }),
    default: { value: 10 },
    is: 'How many jobs of built-in extensions the pool beside this server runs at once; 0 starts no pool.',
    more: 'More: each slot is a process, and more of them than cores only takes memory.',
    less: 'Less: built-in extensions wait sooner, and with 0 they wait for a pool started elsewhere.',
  },
  poolRunnerMemoryMb: {
    group,
    flag: 'pool-runner-memory-mb',
    env: [{ name: 'MILLRACE_POOL_RUNNER_MEMORY_MB' }],
    kind: kinds.quantity('MB', { min: 64, max: 1_048_576 }),
    default: { value: 512 },
    is: 'How much memory one runner of the pool may take before it is ended and its job fails.',
    more: 'More: as many times this as there are slots can be taken on this machine.',
    less: 'Less: jobs with large data fail.',
  },
  poolSweepMs: {
    group,
    flag: 'pool-sweep-ms',
    env: [{ name: 'MILLRACE_POOL_SWEEP_MS' }, { name: 'CLEAN_WORKER_TIME', unit: 's' }],
    kind: kinds.quantity('ms', { min: 100, max: 3_600_000 }),
    default: { value: 60_000 },
    is: 'How often the pool looks for processes that ended runners have left behind, and ends them.',
    more: 'More: what was left behind lives for longer.',
    less: 'Less: an idle pool works for nothing.',
  },
  poolShortShare: {
    group,
    flag: 'pool-short-share',
    env: [{ name: 'MILLRACE_POOL_SHORT_SHARE' }],
    kind: kinds.share(0.9),
    default: { value: 0.2 },
    is: 'The share of the slots of each pool that is kept for extensions whose jobs are short.',
    more: 'More: short jobs wait less behind long ones, and more slots idle while there are only long ones.',
    less: 'Less: with 0 a pool full of long jobs keeps short ones waiting until one of them ends.',
  },
  poolShortMs: {
    group,
    flag: 'pool-short-ms',
    env: [{ name: 'MILLRACE_POOL_SHORT_MS' }],
    kind: kinds.quantity('ms', { min: 1, max: 3_600_000 }),
    default: { value: 5_000 },
    is: 'An extension counts as short while 95 of 100 of its last runs took less than this.',
    more: 'More: more extensions share the slots that are kept for short ones.',
    less: 'Less: only the quickest extensions may use them.',
  },
  poolHoweverBusy: {
    group,
    flag: 'pool-however-busy',
    env: [{ name: 'MILLRACE_POOL_HOWEVER_BUSY' }],
    kind: kinds.onOrOff,
    default: { value: false },
    is: 'Whether the pool of this server takes jobs also while the machine is overloaded.',
    more: 'On: a machine that has too much to do gets more; `dev` does so.',
    less: 'Off: above four times the cores in load, or 90 % of memory, its jobs wait and say why.',
  },
}
