// A worker's id when none was given: the same after a restart, so that it gets its jobs back, and never that of another
// process. Its name is host, folder and extensions; a local socket that the process listens on is the lock, which the
// system takes away when the process ends, however it ends.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { unlinkSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExtensionOffer } from '@millrace/protocol'
import { WorkerError } from '../worker-error.ts'

export interface WorkerId {
  readonly id: string
  release(): void
}

/** Whoever runs more of the same worker on one machine gives them ids. */
const maxAlike = 256

/** The first worker of its kind on this machine is `host-hash`, the next `host-hash-2`, and so on. */
export async function claimWorkerId(offers: readonly ExtensionOffer[], directory: string): Promise<WorkerId> {
  const base = baseId(offers, directory)
  for (let number = 1; number <= maxAlike; number += 1) {
    const id = number === 1 ? base : `${base}-${number}`
    const lock = await takeLock(id)
    if (lock) return { id, release: () => lock.close() }
  }
  throw new WorkerError(`${maxAlike} workers like this one run on this machine: give each an \`id\`.`)
}

export function baseId(offers: readonly ExtensionOffer[], directory: string): string {
  const names = offers.map(({ room = '', category, name }) => `${room}/${category}/${name}`).sort()
  const hash = createHash('sha256')
    .update(JSON.stringify([directory, names]))
    .digest('hex')
    .slice(0, 8)
  const host = hostname()
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 64)
  return `${host || 'worker'}-${hash}`
}

async function takeLock(id: string): Promise<Server | null> {
  const path = lockPath(id)
  const lock = await listen(path)
  if (lock || process.platform === 'linux' || process.platform === 'win32') return lock
  // Elsewhere the socket is a file that outlives its process; one that nobody answers on is nobody's.
  if (await answers(path)) return null
  unlinkSync(path)
  return listen(path)
}

function lockPath(id: string): string {
  if (process.platform === 'linux') return `\0millrace-worker/${id}`
  if (process.platform === 'win32') return `\\\\.\\pipe\\millrace-worker-${id}`
  return join(tmpdir(), `millrace-worker-${id}.sock`)
}

async function listen(path: string): Promise<Server | null> {
  const server = createServer((socket) => socket.destroy())
  server.unref()
  server.listen(path)
  try {
    await once(server, 'listening')
    return server
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return null
    throw new WorkerError('The lock for the id of this worker could not be taken: give it an `id`.', {
      cause: error,
    })
  }
}

async function answers(path: string): Promise<boolean> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
