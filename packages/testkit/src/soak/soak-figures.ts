// What a soak looks at, and how much each figure may grow. Memory is looked at after a collection, which shows what is
// held on to; what the system has given shows what is not the heap's: threads, buffers, the store's own memory.

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Redis } from 'ioredis'
import type { ChildLines } from '../process/child-process.ts'
import { heldBytes } from '../process/inspected-heap.ts'
import { openFiles, residentBytes } from '../process/process-figures.ts'
import type { Bound } from './growth.ts'

export type Figure =
  | 'server heap'
  | 'server memory'
  | 'server files'
  | 'worker heap'
  | 'worker memory'
  | 'worker files'
  | 'store bytes'
  | 'store keys'

const mb = 2 ** 20
const minute = 60_000
/** A job's minute of retention, and a sweep or two. */
const retainedMs = 2 * minute
/** The log is kept for ten minutes and the answers to commits for fifteen; before, a store has to grow. */
const loggedMs = 17 * minute

export interface SoakLength {
  /** Part of a short run that is waited for before anything is judged; a long one waits for what it keeps. */
  readonly runMs: number
}

export function boundsFor({ runMs }: SoakLength): Readonly<Record<Figure, Bound>> {
  const warmUpMs = Math.min(retainedMs, runMs / 3)
  const heap = { warmUpMs, share: 0.1, atLeast: 5 * mb }
  const memory = { warmUpMs, share: 0.15, atLeast: 40 * mb }
  const files = { warmUpMs, share: 0, atLeast: 10 }
  return {
    'server heap': heap,
    'server memory': memory,
    'server files': files,
    'worker heap': heap,
    'worker memory': memory,
    'worker files': files,
    'store bytes': { warmUpMs: loggedMs, share: 0.1, atLeast: 10 * mb },
    'store keys': { warmUpMs, share: 0.1, atLeast: 50 },
  }
}

export interface Looked {
  readonly server: ChildLines
  readonly worker: ChildLines
  /** The folder of an embedded store, or the port of Redis. */
  readonly store: { readonly folder: string } | { readonly redis: Redis }
}

export async function lookAt({ server, worker, store }: Looked): Promise<Partial<Record<Figure, number>>> {
  const ofProcesses = {
    'server heap': await heldBytes(server),
    'server memory': residentBytes(server.pid),
    'server files': openFiles(server.pid),
    'worker heap': await heldBytes(worker),
    'worker memory': residentBytes(worker.pid),
    'worker files': openFiles(worker.pid),
  }
  if ('folder' in store) return { ...ofProcesses, 'store bytes': bytesIn(store.folder) }
  const used = /^used_memory:(\d+)/m.exec(await store.redis.info('memory'))?.[1]
  return { ...ofProcesses, 'store bytes': Number(used), 'store keys': await store.redis.dbsize() }
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + sizeOf(join(parentPath, name)), 0)
}

/** A file may go between being listed and being looked at. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
