// How a development server differs from one for others: this machine only, the embedded store, guests, and quiet.

import type { ReadConfig } from '@millrace/server'
import { readServerConfig } from '../process/read-server-config.ts'
import type { DevFlags } from './run-dev.ts'

/** Below what the environment says. Whoever presses Ctrl-C here does not want to wait for a long job. */
const defaults = { MILLRACE_LOG_LEVEL: 'warn', MILLRACE_SHUTDOWN_TIMEOUT_MS: '3000' }

export function devConfig(flags: DevFlags, env: NodeJS.ProcessEnv): ReadConfig {
  const { port, dataDir, poolSlots, logLevel } = flags
  const given = { port, 'data-dir': dataDir, 'pool-slots': poolSlots, 'log-level': logLevel }
  const args = Object.entries(given).flatMap(([flag, value]) =>
    value === undefined ? [] : [`--${flag}=${value}`],
  )
  return readServerConfig({
    args: ['--host=127.0.0.1', '--guests', '--docs', ...args],
    env: { ...defaults, ...forOneMachine(env) },
  })
}

/** A shell that is set up for a server that others reach must not make this one share its store or its name. */
function forOneMachine(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/REDIS|^MILLRACE_(?:HOST|PUBLIC_URL)$/.test(name)),
  )
}
