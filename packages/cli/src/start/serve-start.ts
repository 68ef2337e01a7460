// A server for others from start to end. Its log is JSON on stdout; until somebody has an account, a link to sign in is
// printed for whoever can read that.

import { pinoLog } from '@millrace/server'
import type { Terminal } from '../output/terminal.ts'
import { readServerConfig } from '../process/read-server-config.ts'
import { serveUntilStopped, startServing } from '../process/serving.ts'
import { version } from '../version.ts'
import { type StartFacts, startBanner } from './start-banner.ts'

export async function serveStart(args: readonly string[], terminal: Terminal): Promise<void> {
  const read = readServerConfig({ args, env: process.env })
  const { config } = read
  const serving = await startServing(read, pinoLog(config.logLevel))
  const { run, pool } = serving
  const { store, publicUrl: url } = run
  const code = config.adminUser === null ? await run.loginCode('admin', 'admin') : null
  const facts: StartFacts = {
    version,
    url,
    store: { kind: store.kind, durability: store.durability },
    where: store.kind === 'sqlite' ? config.dataDir : null,
    poolSlots: pool === null ? 0 : config.poolSlots,
    guests: config.guests,
    docs: config.docs,
    loginLink: code === null ? null : `${url}/login?code=${code}`,
  }
  terminal.record(facts, startBanner)
  await serveUntilStopped(serving, terminal)
}
