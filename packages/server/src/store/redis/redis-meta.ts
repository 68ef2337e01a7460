// What a Redis says of itself before it is used: new enough, of the same number of shards and of a known format.
// The number of shards decides where every key lies, so a mismatch would lose sight of data; it is refused.

import { randomUUID } from 'node:crypto'
import type { StoreDescription } from '../../ports/store.ts'
import type { Keys } from './keys.ts'
import type { RedisClient, RedisConnection } from './redis-connection.ts'

const format = '3'
const oldestMajor = 7

export class RedisUnfit extends Error {
  override readonly name = 'RedisUnfit'
}

/** Returns the epoch: made when the store was first used, the same for every replica. */
export async function agreeOnMeta(connection: RedisConnection, keys: Keys): Promise<string> {
  checkVersion(await connection.call((client) => serverInfo(client, 'server')))
  const wanted = { shards: String(keys.shards), format, epoch: randomUUID() }
  for (const [field, value] of Object.entries(wanted)) {
    await connection.call((client) => client.hsetnx(keys.meta, field, value))
  }
  const found = await connection.call((client) => client.hgetall(keys.meta))
  if (found['format'] !== format) {
    throw new RedisUnfit(
      `This Redis holds store format ${found['format']}; this Millrace knows ${format}. ` +
        'Use the Millrace that wrote it, an empty Redis, or another prefix.',
    )
  }
  if (found['shards'] !== wanted.shards) {
    throw new RedisUnfit(
      `This Redis was set up with ${found['shards']} shards and is now asked for ${wanted.shards}. ` +
        'The number is fixed at the first start: give the same one, or another prefix.',
    )
  }
  return found['epoch'] ?? ''
}

export function checkVersion(info: string): void {
  const version = infoField(info, 'redis_version')
  // Written so that a version which is no number is refused as well.
  if (Number.parseInt(version, 10) >= oldestMajor) return
  const found = version === '' ? 'does not say its version' : `is ${version}`
  throw new RedisUnfit(`Redis ${oldestMajor} or newer is needed, and this one ${found}.`)
}

export async function describeRedis(client: RedisClient): Promise<StoreDescription> {
  const persistence = await serverInfo(client, 'persistence')
  const appendOnly = infoField(persistence, 'aof_enabled') === '1'
  const fsync = appendOnly ? await setting(client, 'appendfsync') : 'off'
  const keepsTorn = appendOnly && (await setting(client, 'aof-load-truncated')) === 'yes'
  const always = fsync === 'always'
  return {
    kind: 'redis',
    durability: keepsTorn ? `${inWords(fsync)} ${torn}` : inWords(fsync),
    survivesProcessDeath: always,
    survivesPowerLoss: always,
  }
}

export interface Replication {
  /** Names the history of changes; a replica has its primary's. */
  readonly id: string
  /** How far in it. */
  readonly offset: number
  readonly isLinkedReplica: boolean
}

export async function replicationOf(client: RedisClient): Promise<Replication> {
  const info = await serverInfo(client, 'replication')
  const isLinkedReplica =
    infoField(info, 'role') === 'slave' &&
    infoField(info, 'master_link_status') === 'up' &&
    infoField(info, 'master_sync_in_progress') === '0'
  const offset = infoField(info, isLinkedReplica ? 'slave_repl_offset' : 'master_repl_offset')
  return { id: infoField(info, 'master_replid'), offset: Number(offset), isLinkedReplica }
}

// Redis cuts a torn log behind the last whole command, not before the change it belongs to, and appends the next change to
// that beginning; at its second start it applies both under one revision.
const torn =
  'It starts on a log that was torn in a crash and may then keep half of a change that nobody was answered ' +
  '(aof-load-truncated yes): set it to no, and run redis-check-aof --fix before a start that is refused.'

async function setting(client: RedisClient, name: string): Promise<string> {
  try {
    const reply = (await anyNode(client).config('GET', name)) as string[] | Record<string, string>
    return (Array.isArray(reply) ? reply[1] : reply[name]) ?? 'unknown'
  } catch {
    // Hosted Redis often forbids CONFIG; then nothing is claimed.
    return 'unknown'
  }
}

function inWords(fsync: string): string {
  switch (fsync) {
    case 'always':
      return 'Every answered change is synced to the append-only file (appendfsync always).'
    case 'everysec':
      return 'The append-only file is synced every second: a crash may lose the last second (appendfsync everysec).'
    case 'off':
      return 'No append-only file: a crash of Redis loses what its last snapshot did not hold.'
    default:
      return `An append-only file is kept (appendfsync ${fsync}): a crash may lose what was not synced yet.`
  }
}

async function serverInfo(client: RedisClient, section: string): Promise<string> {
  return await anyNode(client).info(section)
}

function anyNode(client: RedisClient): Pick<RedisClient, 'info' | 'config'> {
  if (!('nodes' in client)) return client
  return client.nodes('master')[0] ?? client
}

function infoField(info: string, field: string): string {
  return new RegExp(`^${field}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? ''
}
