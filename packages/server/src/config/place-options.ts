// Where the server listens and where it keeps what it knows.

import * as kinds from './kinds.ts'
import type { Options } from './option.ts'

type PlaceOptions = Pick<
  Options,
  | 'host'
  | 'port'
  | 'publicUrl'
  | 'dataDir'
  | 'redisUrls'
  | 'redisReadUrls'
  | 'redisCluster'
  | 'redisShards'
  | 'redisPrefix'
>

const group = 'Where it listens and what it keeps'

const prefix = kinds.text("1 to 64 letters, digits, ':', '_', '.' and '-'", (value) =>
  /^[A-Za-z0-9:_.-]{1,64}$/.test(value),
)

export const placeOptions: PlaceOptions = {
  host: {
    group,
    flag: 'host',
    env: [{ name: 'MILLRACE_HOST' }],
    kind: kinds.host,
    default: { value: '127.0.0.1' },
    is: 'The address the server listens on.',
    more: "With '0.0.0.0' or '::' everybody who can reach the machine can reach the server.",
    less: 'With a loopback address only programs on this machine can.',
  },
  port: {
    group,
    flag: 'port',
    env: [{ name: 'MILLRACE_PORT' }, { name: 'PORT' }],
    kind: kinds.quantity('count', { min: 0, max: 65_535 }),
    default: { value: 7717 },
    is: 'The port the server listens on; 0 takes a free one.',
    more: 'Any port above 1023 will do.',
    less: 'A port below 1024 needs rights that a server should not have.',
  },
  publicUrl: {
    group,
    flag: 'public-url',
    env: [{ name: 'MILLRACE_PUBLIC_URL' }],
    kind: kinds.optional(kinds.webUrl),
    default: { value: null },
    is: 'The address under which people reach the server, for links and for checking where a page came from.',
    more: 'Set it when a proxy stands in front.',
    less: 'Not set, links name the host and port above.',
  },
  dataDir: {
    group,
    flag: 'data-dir',
    env: [{ name: 'MILLRACE_DATA_DIR' }],
    kind: kinds.path,
    default: { value: './.millrace' },
    is: 'The directory of the embedded store (store.db) and of the secret.',
    more: 'Put it on a disk that is backed up.',
    less: 'On a disk that is lost, jobs, rooms and accounts are lost with it.',
  },
  redisUrls: {
    group,
    flag: 'redis',
    env: [{ name: 'MILLRACE_REDIS_URL' }, { name: 'REDIS_URL' }],
    kind: kinds.redisUrls,
    default: { value: [] },
    is: 'The Redis that holds the store, for several replicas; not set: the embedded store.',
    more: 'Several addresses are nodes of one cluster; any of them is enough to find the others.',
    less: 'Not set, one server runs alone and needs nothing else.',
  },
  redisReadUrls: {
    group,
    flag: 'redis-read',
    env: [{ name: 'MILLRACE_REDIS_READ_URL' }],
    kind: kinds.redisUrls,
    default: { value: [] },
    is: 'Replicas of that Redis, from which lists and searches are read; not set: from the Redis itself.',
    more: 'Lists and searches take nothing from the Redis that places jobs, and may be about two seconds old.',
    less: 'A list has what was written before it was asked for.',
  },
  redisCluster: {
    group,
    flag: 'redis-cluster',
    env: [{ name: 'MILLRACE_REDIS_CLUSTER' }],
    kind: kinds.onOrOff,
    default: { value: false },
    is: 'Whether the Redis is a cluster.',
    more: 'On: rooms are spread over its nodes.',
    less: 'Off: all of it is on one Redis.',
  },
  redisShards: {
    group,
    flag: 'redis-shards',
    env: [{ name: 'MILLRACE_REDIS_SHARDS' }],
    kind: kinds.quantity('count', { min: 1, max: 1_024 }),
    default: { value: 16 },
    is: 'Into how many parts rooms are divided; fixed at the first start, another number is refused later.',
    more: 'More: rooms spread over more nodes of a cluster, and every replica holds more connections.',
    less: 'Fewer: pages across rooms are cheaper.',
  },
  redisPrefix: {
    group,
    flag: 'redis-prefix',
    env: [{ name: 'MILLRACE_REDIS_PREFIX' }],
    kind: prefix,
    default: { value: 'millrace' },
    is: 'What all keys in Redis begin with.',
    more: 'Another prefix is another store in the same Redis.',
    less: 'Servers with the same prefix are replicas of one another.',
  },
}
