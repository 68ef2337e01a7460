// The server as a process: reads its configuration, opens its store, starts, and stops when it is told to.

import { mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isRefusal } from '@millrace/domain'
import { pino } from 'pino'
import { banner } from './banner.ts'
import type { Config } from './config/config.ts'
import { showProblems } from './config/config-problem.ts'
import { readConfig } from './config/read-config.ts'
import { openSecret, secretOfText } from './credential/secret-file.ts'
import { openStore } from './open-store.ts'
import { type RunningServer, type ServerLog, startServer } from './start-server.ts'
import { ensureAdmin } from './user/ensure-admin.ts'
import { createLoginCode } from './user/login-code.ts'

const version = '0.1.0'
const firstCodeSeconds = 15 * 60

async function main(args: readonly string[]): Promise<void> {
  const read = readConfig({ args, env: process.env, readFile: (path) => readFileSync(path, 'utf8') })
  if ('help' in read) return say(read.help)
  if ('problems' in read) return fail(showProblems(read))
  const { config } = read
  const logger = pino({ level: config.logLevel })
  const log: ServerLog = {
    info: (message) => logger.info(message),
    warn: (message) => logger.warn(message),
    error: (fault, message) => logger.error({ err: fault }, message),
  }
  const store = await openStore(config)
  const secret = await secretOf(config)
  const server = await startServer({ config, store, secret, version, log })
  const first = await firstSteps(config, server)
  say(banner({ config, server, version, store: await store.describe(), ...first }))
  stopOnSignal(async () => {
    await server.close()
    await store.close()
  })
}

async function secretOf(config: Config): Promise<Uint8Array> {
  if (config.secret !== null) return secretOfText(config.secret)
  mkdirSync(dirname(config.secretFile), { recursive: true, mode: 0o700 })
  return openSecret(config.secretFile)
}

/** The admin that the configuration names, or else a code for whoever started the server and reads what it prints. */
async function firstSteps(
  { adminUser, adminPassword }: Config,
  { parts }: RunningServer,
): Promise<{ code?: string }> {
  if (adminUser !== null && adminPassword !== null) {
    const outcome = await ensureAdmin(parts, { name: adminUser, password: adminPassword })
    if (isRefusal(outcome)) throw new Error(outcome.message)
    return {}
  }
  const code = await createLoginCode(parts, 'admin', 'admin', firstCodeSeconds)
  return isRefusal(code) ? {} : { code: code.code }
}

/** The first signal stops in good order; a second one does not wait. */
function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1)
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
