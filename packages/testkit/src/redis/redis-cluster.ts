// A real Redis Cluster of three nodes without replicas. Slots and meetings are given by hand, which takes a second
// where the cluster tool takes five; ready means that every node says it sees all slots served.

import { Redis } from 'ioredis'
import { RedisProcess } from './redis-process.ts'

export interface RedisCluster {
  readonly nodes: readonly { readonly host: string; readonly port: number }[]
  stop(): Promise<void>
}

const nodeCount = 3
const slotCount = 16_384

export async function startRedisCluster(): Promise<RedisCluster> {
  const started = await Promise.allSettled(Array.from({ length: nodeCount }, startNode))
  const nodes = started.flatMap((node) => (node.status === 'fulfilled' ? [node.value] : []))
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop()))
  }
  try {
    for (const node of started) if (node.status === 'rejected') throw node.reason
    await join(nodes)
  } catch (fault) {
    await stop()
    throw fault
  }
  return { nodes: nodes.map(({ host, port }) => ({ host, port })), stop }
}

async function startNode(): Promise<RedisProcess> {
  return RedisProcess.start({
    // Nodes talk to each other on port + 10000; a port for which that is taken or too high fails at once, and
    // RedisProcess tries another.
    settings: {
      'cluster-enabled': 'yes',
      'cluster-config-file': 'nodes.conf',
      'cluster-node-timeout': '5000',
    },
  })
}

async function join(nodes: readonly RedisProcess[]): Promise<void> {
  const clients = nodes.map(({ host, port }) => new Redis({ host, port }))
  try {
    const share = Math.ceil(slotCount / nodes.length)
    for (const [n, client] of clients.entries()) {
      const last = Math.min((n + 1) * share, slotCount) - 1
      await client.call('CLUSTER', 'ADDSLOTSRANGE', n * share, last)
      await client.call('CLUSTER', 'SET-CONFIG-EPOCH', n + 1)
    }
    const [first, ...others] = nodes
    for (const other of others) await clients[0]?.call('CLUSTER', 'MEET', other.host, other.port)
    if (first) await Promise.all(nodes.map((node) => node.logged('Cluster state changed: ok')))
  } finally {
    for (const client of clients) client.disconnect()
  }
}
