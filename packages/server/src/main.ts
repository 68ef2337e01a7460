// The server as a process of its own, without a pool: reads its configuration, starts, and stops when it is told to.

import { readFileSync } from 'node:fs'
import { banner } from './banner.ts'
import { showProblems } from './config/config-problem.ts'
import { readConfig } from './config/read-config.ts'
import { pinoLog } from './pino-log.ts'
import { runServer } from './run-server.ts'

const version = '0.1.0'

async function main(args: readonly string[]): Promise<void> {
  const read = readConfig({ args, env: process.env, readFile: (path) => readFileSync(path, 'utf8') })
  if ('help' in read) return say(read.help)
  if ('problems' in read) return fail(showProblems(read))
  const { config, sources } = read
  const run = await runServer({ config, sources, version, builtins: [], log: pinoLog(config.logLevel) })
  const code = config.adminUser === null ? { code: await run.loginCode('admin', 'admin') } : {}
  say(banner({ config, url: run.publicUrl, version, store: run.store, ...code }))
  stopOnSignal(() => run.stop())
}

/** As a shell counts a process that a signal ended. */
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const

/** The first signal stops in good order; a second one does not wait. */
function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(exitCodes[signal])
      stopping = true
      stop().then(
        () => process.exit(0),
        (fault) => {
          process.stderr.write(`${String(fault)}\n`)
          process.exit(1)
        },
      )
    })
  }
}

/** What to do about it, where that is known. */
function causeOf(fault: unknown): string {
  const message = fault instanceof Error ? fault.message : String(fault)
  const code = (fault as NodeJS.ErrnoException | null)?.code
  if (code === 'EADDRINUSE') return `${message}. Stop what listens there, or choose another with --port.`
  if (code === 'EEXIST' || code === 'ENOTDIR')
    return `${message}. The data directory has to be a folder: --data-dir.`
  return message
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

function fail(text: string): void {
  process.stderr.write(`${text}\n`)
  process.exitCode = 2
}

try {
  await main(process.argv.slice(2))
} catch (fault) {
  fail(`Millrace could not start: ${causeOf(fault)}`)
  process.exit(1)
}
