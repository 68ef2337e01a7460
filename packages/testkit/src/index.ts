// What tests of other packages and the benches may use: real Redis servers, broken connections, the store contract and the
// model that stores are compared with. What enemies send stands apart (`./hostile`): it takes a hundred megabytes, which a
// bench of anything else would have to collect again and again.

export { type HostileCase, HostileScene } from './hostile/hostile-scene.ts'
export { type Break, TcpProxy } from './network/tcp-proxy.ts'
export { type ChildLines, startChild } from './process/child-process.ts'
export { freePort } from './process/free-port.ts'
export { makeTempDir } from './process/temp-dir.ts'
export { type RedisCluster, startRedisCluster } from './redis/redis-cluster.ts'
export { type RedisOptions, RedisProcess } from './redis/redis-process.ts'
export { ApiClient } from './server/api-client.ts'
export { type ServerProcess, startServerProcess } from './server/server-process.ts'
export { startTestServer } from './server/test-server.ts'

export { changeId } from './store-contract/change-id.ts'
export type {
  ContractCase,
  ContractScene,
  OpenedStore,
  OpenOptions,
  OpenStore,
} from './store-contract/contract-scene.ts'
export { redisOpener, type SharedRedis } from './store-contract/redis-opener.ts'
export { describeStoreContract, storeContract } from './store-contract/store-contract.ts'
export { StoreModel } from './store-model/store-model.ts'
