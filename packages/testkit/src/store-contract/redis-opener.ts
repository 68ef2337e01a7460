// Opens an empty store in a Redis that is shared: each under a prefix of its own.

import { randomUUID } from 'node:crypto'
import { openRedisStore } from '@millrace/server'
import type { OpenStore } from './contract-scene.ts'

export interface SharedRedis {
  readonly nodes: readonly { readonly host: string; readonly port: number }[]
  readonly cluster?: boolean
}

export function redisOpener({ nodes, cluster = false }: SharedRedis): OpenStore {
  const addresses = nodes.map(({ host, port }) => ({ host, port }))
  return async (options) => {
    const open = () => openRedisStore({ nodes: addresses, cluster, prefix, ...options })
    const prefix = `contract-${randomUUID()}`
    const opened = [await open()]
    const [store] = opened
    if (!store) throw new Error('unreachable')
    return {
      store,
      reopen: async () => {
        const again = await open()
        opened.push(again)
        return again
      },
      close: async () => {
        for (const each of opened) await each.close()
      },
    }
  }
}
