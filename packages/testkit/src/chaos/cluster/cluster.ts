// A real cluster on this machine: servers on one Redis or one on SQLite, workers, a REST worker and a pool, every link
// between them through a proxy of its own.

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeFlags } from '@millrace/server'
import { freePort } from '../../process/free-port.ts'
import { ApiClient } from '../../server/api-client.ts'
import { FaultProxy } from '../fault/fault-proxy.ts'
import { ledgerName } from '../worker/ledger.ts'
import { Station } from './station.ts'

export interface ClusterOptions {
  readonly store: 'redis' | 'sqlite'
  /** Where data and ledgers go. */
  readonly folder: string
  /** The main file of the server; of a patched copy where a bug is planted. */
  readonly serverMain: string
}

export interface Cluster {
  readonly store: 'redis' | 'sqlite'
  readonly servers: readonly Station[]
  /** Those of the SDK, then the one that speaks REST, then the pool. */
  readonly workers: readonly Station[]
  readonly redis: Station | null
  /** From each server to Redis. */
  readonly storeLinks: readonly FaultProxy[]
  /** From each worker to its server, or to another when that one is gone. */
  readonly workerLinks: readonly FaultProxy[]
  /** From clients to each server. */
  readonly clientLinks: readonly FaultProxy[]
  /** Clients of each server, signed in as admin. */
  readonly clients: readonly ApiClient[]
  /** Clients past every proxy, for looking at the end. */
  readonly direct: readonly ApiClient[]
  readonly ledgerFile: string
  readonly stations: readonly Station[]
  close(): Promise<void>
}

const restName = 'rest'
const poolName = 'pool'
const sdkWorkers = 4
const slots = 2
const [admin, password] = ['root', 'a password for chaos']

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const replicas = options.store === 'redis' ? 2 : 1
  const redis = options.store === 'redis' ? await startRedis(options.folder) : null
  const ports = await Promise.all(Array.from({ length: replicas }, freePort))
  const storeLinks = redis ? await Promise.all(ports.map(() => FaultProxy.start([redis.port]))) : []
  const servers = ports.map((port, at) => serverStation(options, at, port, storeLinks[at] ?? null))
  for (const server of servers) await server.start()

  const direct = await Promise.all(ports.map((port) => signIn(`http://127.0.0.1:${port}`)))
  const clientLinks = await Promise.all(ports.map((port) => FaultProxy.start([port])))
  const clients = clientLinks.map(({ port }, at) => new ApiClient(urlOf(port), direct[at]?.token ?? null))
  const ledgerFile = join(options.folder, ledgerName)
  const workerLinks: FaultProxy[] = []
  const workers: Station[] = []
  for (const name of workerNames()) {
    const link = await FaultProxy.start(ports, workers.length)
    workerLinks.push(link)
    workers.push(workerStation(name, urlOf(link.port), direct[0]?.token ?? '', options.folder))
  }
  await Promise.all(workers.map((worker) => worker.start()))
  const stations = [...servers, ...workers, ...(redis ? [redis.station] : [])]
  return {
    store: options.store,
    servers,
    workers,
    redis: redis?.station ?? null,
    storeLinks,
    workerLinks,
    clientLinks,
    clients,
    direct,
    ledgerFile,
    stations,
    close: async () => {
      for (const client of [...clients, ...direct]) client.close()
      await Promise.all([...workers, ...servers].map((station) => station.kill()))
      await redis?.station.kill()
      await Promise.all([...storeLinks, ...workerLinks, ...clientLinks].map((link) => link.close()))
    },
  }
}

function workerNames(): readonly string[] {
  return [...Array.from({ length: sdkWorkers }, (_, at) => `worker-${at + 1}`), restName, poolName]
}

function urlOf(port: number): string {
  return `http://127.0.0.1:${port}`
}

async function startRedis(folder: string): Promise<{ readonly station: Station; readonly port: number }> {
  const port = await freePort()
  const settings = {
    port,
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: 'yes',
    appendfsync: 'always',
  }
  const station = new Station('redis', {
    command: 'redis-server',
    args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
    variables: {},
    isReady: (line) => line.includes('Ready to accept connections'),
  })
  await station.start()
  return { station, port }
}

function serverStation(
  { folder, serverMain }: ClusterOptions,
  at: number,
  port: number,
  storeLink: FaultProxy | null,
): Station {
  // Replicas share the folder of the secret that signs tokens.
  const place = ['--data-dir', join(folder, 'data'), '--port', String(port)]
  const store = storeLink ? ['--redis', `redis://127.0.0.1:${storeLink.port}`] : []
  const often = ['--poll-interval-ms', '200', '--registrations-per-minute', '100000', '--log-level', 'warn']
  return new Station(`server-${at + 1}`, {
    command: process.execPath,
    args: [...nodeFlags, serverMain, '--admin-user', admin, ...place, ...store, ...often],
    variables: { MILLRACE_ADMIN_PASSWORD: password },
    isReady: (line) => line.includes('http://'),
  })
}

function workerStation(name: string, url: string, token: string, folder: string): Station {
  const task = JSON.stringify({ url, token, id: name, slots })
  return new Station(name, {
    command: process.execPath,
    args: ['--no-warnings', fileURLToPath(mainOf(name)), task],
    variables: { TMPDIR: folder, CHAOS_WORKER: name },
    isReady: (line) => line === 'ready',
  })
}

function mainOf(name: string): URL {
  if (name === restName) return new URL('../worker/rest-main.ts', import.meta.url)
  if (name === poolName) return new URL('../worker/pool-main.ts', import.meta.url)
  return new URL('../worker/sdk-main.ts', import.meta.url)
}

async function signIn(url: string): Promise<ApiClient> {
  const nobody = new ApiClient(url, null)
  const { token } = await nobody.expect<{ token: string }>(200, 'POST', '/api/auth/login', {
    user: admin,
    password,
  })
  return new ApiClient(url, token)
}
