// A development server from start to end.

import { resolve } from 'node:path'
import { builtinExtensions } from '@millrace/extensions'
import type { Terminal } from '../output/terminal.ts'
import type { KeptPool } from '../pool/kept-pool.ts'
import { firstFreePort } from '../process/free-port.ts'
import { serveUntilStopped, startServing } from '../process/serving.ts'
import { version } from '../version.ts'
import { type DevFacts, devBanner } from './dev-banner.ts'
import { devConfig } from './dev-config.ts'
import { devLog } from './dev-log.ts'
import type { DevFlags } from './run-dev.ts'
import { keepSignedIn } from './signed-in.ts'

const room = 'lab'
/** A machine that is slow to start the pool must not keep the banner; it then says so. */
const poolPatienceMs = 8_000

export async function serveDev(flags: DevFlags, terminal: Terminal): Promise<void> {
  const { config: wanted, sources } = devConfig(flags, process.env)
  const port = wanted.port === 0 ? 0 : await firstFreePort(wanted.host, wanted.port)
  if (port !== wanted.port) terminal.warn(`port ${wanted.port} is taken, so it is ${port}`)
  const config = { ...wanted, port, poolHoweverBusy: true }
  const serving = await startServing({ config, sources }, devLog(config.logLevel, terminal))
  const { run, pool } = serving
  const user = config.adminUser ?? 'admin'
  await run.ensureRoom(room)
  const dataDir = resolve(config.dataDir)
  const signedIn = await keepSignedIn({ run, user, room, dataDir, warn: (text) => terminal.warn(text) })
  const ready = pool === null ? false : await inTime(pool)
  const extensions = builtinExtensions.map(({ category, name }) => `${category}/${name}`)
  const link = async (): Promise<string> => `${run.url}/login?code=${await run.loginCode(user, 'admin')}`
  const facts: DevFacts = {
    version,
    url: run.url,
    store: { kind: run.store.kind, durability: run.store.durability, folder: config.dataDir },
    room,
    pool: pool === null ? null : { slots: config.poolSlots, ready, extensions },
    profile: signedIn.profile,
    user,
    openLink: await link(),
    loginLink: await link(),
  }
  terminal.result(facts, () => devBanner(facts, terminal.style))
  await serveUntilStopped(serving, terminal, signedIn.leave)
}

function inTime({ ready }: KeptPool): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), poolPatienceMs)
    void ready.then(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}
