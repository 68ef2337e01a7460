// Opens the store that the configuration names: Redis where it gives an address, otherwise the embedded one.

import { mkdirSync } from 'node:fs'
import type { Config } from './config/config.ts'
import { storeFile } from './config/derived-config.ts'
import { redisAddress } from './config/redis-address.ts'
import type { Store } from './ports/store.ts'
import { openRedisStore } from './store/redis/redis-store.ts'
import { openSqliteStore } from './store/sqlite/sqlite-store.ts'

export function openStore(config: Config): Promise<Store> {
  const address = redisAddress(config.redisUrls)
  if (address !== null) {
    const { redisCluster: cluster, redisShards: shards, redisPrefix: prefix } = config
    const readFrom = config.redisReadUrls.flatMap((url) => redisAddress([url]) ?? [])
    return openRedisStore({ ...address, cluster, shards, prefix, readFrom })
  }
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  return openSqliteStore({ file: storeFile(config), reserveBytes: config.diskReserveBytes })
}
