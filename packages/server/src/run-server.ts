// A server with its store and its secret, as the commands start it: what they need of it beside the running, and the way
// down again. A start that fails leaves nothing open; the cause keeps its code (`EADDRINUSE` for a port that is taken).

import {
  type AccountRole,
  type ExtensionName,
  isRefusal,
  type Refusal,
  type UserName,
} from '@millrace/domain'
import type { Config } from './config/config.ts'
import type { ConfigSources } from './config/read-config.ts'
import { mintPoolToken } from './credential/pool-token.ts'
import { openSecret, secretOfText } from './credential/secret-file.ts'
import { letEngineMakeWay } from './engine-threads.ts'
import { countExternalMemory } from './external-memory.ts'
import { openStore } from './open-store.ts'
import type { Store, StoreDescription } from './ports/store.ts'
import { StoreUnavailable } from './ports/store-unavailable.ts'
import { createRoom } from './room/create-room.ts'
import { type RunningServer, type ServerLog, startServer } from './start-server.ts'
import { ensureAdmin } from './user/ensure-admin.ts'
import { createLoginCode, useLoginCode } from './user/login-code.ts'

export interface ServerRunSetup {
  readonly config: Config
  readonly sources?: ConfigSources
  readonly version: string
  /** The names that pools bring; nobody else may register them. */
  readonly builtins: readonly ExtensionName[]
  readonly log: ServerLog
}

export interface ServerRun {
  /** Where programs on this machine reach it. */
  readonly url: string
  /** Where people reach it: the same, unless the configuration names another. */
  readonly publicUrl: string
  readonly server: RunningServer
  readonly store: StoreDescription
  /** Signs in once, within 15 minutes; makes the account if there is none. */
  loginCode(user: string, role: AccountRole): Promise<string>
  /** For the pool beside this server; it asks for another whenever it connects. */
  poolToken(): Promise<string>
  /** A session for whoever runs this process; makes an account of an admin if there is none of this name. */
  sessionToken(user: string): Promise<{ readonly token: string; readonly expiresAt: number }>
  /** An open room of this name, if there is none yet. */
  ensureRoom(name: string): Promise<void>
  /** Not ready and placing nothing from now on, while its pool ends its jobs. */
  retire(): Promise<void>
  /** Of workers of its own that are gone by now, what they left goes back to its queue. */
  stop(ownWorkers?: readonly string[]): Promise<void>
}

const loginCodeSeconds = 15 * 60
const firstAdmin = 'admin'

export async function runServer(setup: ServerRunSetup): Promise<ServerRun> {
  const { config } = setup
  countExternalMemory()
  letEngineMakeWay()
  const store = await openStore(config)
  try {
    const secret = await secretOf(config)
    const server = await startServer({ ...setup, store, secret })
    return await whileRunning(server, () => describeRun(config, store, server))
  } catch (fault) {
    await store.close()
    throw fault
  }
}

async function whileRunning(server: RunningServer, describe: () => Promise<ServerRun>): Promise<ServerRun> {
  try {
    return await describe()
  } catch (fault) {
    await server.close()
    throw fault
  }
}

async function describeRun(config: Config, store: Store, server: RunningServer): Promise<ServerRun> {
  const { parts } = server
  const { adminUser, adminPassword } = config
  if (adminUser !== null && adminPassword !== null)
    granted(await ensureAdmin(parts, { name: adminUser, password: adminPassword }))
  const url = `http://${reachable(server.host)}:${server.port}`
  const codeFor = async (user: string, role: AccountRole): Promise<string> =>
    granted(await createLoginCode(parts, user, role, loginCodeSeconds)).code
  return {
    url,
    publicUrl: config.publicUrl ?? url,
    server,
    store: await store.describe(),
    loginCode: codeFor,
    poolToken: async () => (await mintPoolToken(parts)).token,
    sessionToken: async (name) => {
      const user = granted(await useLoginCode(parts, await codeFor(name, 'admin')))
      const { token, expiresAt } = await parts.credentials.issueSession(user)
      return { token, expiresAt }
    },
    ensureRoom: async (name) => {
      const owner = { user: (adminUser ?? firstAdmin) as UserName, role: 'admin' } as const
      const made = await createRoom(parts, owner, { name })
      if (isRefusal(made) && made.refused !== 'room_name_taken') granted(made)
    },
    retire: () => server.retire(),
    stop: async (ownWorkers = []) => {
      await server.retire()
      // Without the store nothing can be given back; the end of its lease does it then.
      for (const worker of ownWorkers) await server.release(worker).catch(onlyOutage)
      await server.close()
      await store.close()
    },
  }
}

function onlyOutage(fault: unknown): void {
  if (!(fault instanceof StoreUnavailable)) throw fault
}

function secretOf({ secret, secretFile }: Config): Uint8Array | Promise<Uint8Array> {
  return secret === null ? openSecret(secretFile) : secretOfText(secret)
}

/** A server that listens everywhere is reached here by the loopback address of its family. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

function granted<Value>(answer: Value | Refusal): Value {
  if (isRefusal(answer)) throw new Error(answer.message)
  return answer
}
