// millrace pool: more of the pool, on this machine or any other.

import { Command, InvalidArgumentError, Option } from 'commander'
import { type GlobalFlags, sessionOf, withExamples, withMore, withTarget } from '../command.ts'
import { self } from '../output/own-name.ts'
import { howeverBusy } from '../process/however-busy.ts'
import { requireToken } from '../process/require-token.ts'
import { slotCount } from '../process/slot-count.ts'
import { supervisorLine } from '../process/supervisor-line.ts'

export interface PoolFlags extends GlobalFlags {
  readonly slots: number
  readonly runnerMemoryMb: number
  readonly sweepMs: number
  readonly shutdownTimeoutMs: number
  readonly howeverBusy?: boolean
  readonly quiet?: boolean
}

const more = `
A pool runs the built-in extensions, each job in a process that can be killed. \`${self} dev\` and \`${self} start\` have one
already; this runs more of it wherever there are processors.

It takes a token of its own kind, which may do nothing else: \`${self} tokens create --pool\`, given here as MILLRACE_TOKEN.
Ctrl-C lets running jobs end and stops.`

/** The variables and defaults are those of the server's own pool. */
export function runPoolCommand(): Command {
  const command = withTarget(new Command('pool'))
    .description('run built-in extensions on this machine, for a server here or elsewhere')
    .addOption(
      number('--slots <count>', 'jobs at the same time', 'MILLRACE_POOL_SLOTS', 10).argParser(slotCount),
    )
    .addOption(number('--runner-memory-mb <mb>', 'memory of one job', 'MILLRACE_POOL_RUNNER_MEMORY_MB', 512))
    .addOption(number('--sweep-ms <ms>', 'how often leftovers are ended', 'MILLRACE_POOL_SWEEP_MS', 60_000))
    .addOption(
      number(
        '--shutdown-timeout-ms <ms>',
        'how long to wait for running jobs',
        'MILLRACE_SHUTDOWN_TIMEOUT_MS',
        30_000,
      ),
    )
    .addOption(howeverBusy())
    .option('--quiet', 'say only what is wrong')
    .action(runPool)
  return withExamples(
    withMore(command, more),
    'MILLRACE_TOKEN=… millrace pool --url https://millrace.example.org --slots 32',
  )
}

function number(flags: string, about: string, variable: string, value: number): Option {
  return new Option(flags, about).env(variable).default(value).argParser(wholeNumber)
}

function wholeNumber(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isInteger(value) && value >= 0) return value
  throw new InvalidArgumentError('It has to be a whole number.')
}

async function runPool(flags: PoolFlags): Promise<void> {
  const { terminal, target } = sessionOf(flags)
  const supervisor = supervisorLine()
  const token = supervisor === null ? requireToken(target) : null
  const { servePool } = await import('./serve-pool.ts')
  await servePool({ flags, target, token, terminal, supervisor })
}
