// Whether the disk of the store has room for anything new. It has none when less is free than is kept for what is in the
// store already, nor for a while after a write that failed for want of room: a quota, or a limit on the size of a file, is
// not told by how much is free. The tables are brought up to date several times a second until that succeeds, so that a
// disk that stays full is told of again and again.

import { statfsSync } from 'node:fs'
import { sqliteCode, sqliteCodes } from './store-file-faults.ts'

const lookEveryMs = 1_000
const missedForMs = 1_000
const fullCodes = new Set<unknown>(['ENOSPC', 'EDQUOT', 'EFBIG'])

export class DiskRoom {
  readonly #directory: string
  readonly #reserveBytes: number
  readonly #short: Int32Array
  readonly #timer: NodeJS.Timeout
  #missedAt = Number.NEGATIVE_INFINITY

  constructor(directory: string, reserveBytes: number, short: Int32Array) {
    this.#directory = directory
    this.#reserveBytes = reserveBytes
    this.#short = short
    this.#timer = setInterval(() => this.#look(), lookEveryMs)
    this.#timer.unref()
    this.#look()
  }

  /** A write has failed. */
  missed(cause: unknown): void {
    if (!isForWantOfRoom(cause)) return
    this.#missedAt = performance.now()
    this.#look()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const missed = performance.now() - this.#missedAt < missedForMs
    Atomics.store(this.#short, 0, missed || this.#freeBytes() < this.#reserveBytes ? 1 : 0)
  }

  #freeBytes(): number {
    if (this.#reserveBytes === 0) return Number.POSITIVE_INFINITY
    try {
      const { bavail, bsize } = statfsSync(this.#directory)
      return bavail * bsize
    } catch {
      // What cannot be asked is found out by writing.
      return Number.POSITIVE_INFINITY
    }
  }
}

function isForWantOfRoom(cause: unknown): boolean {
  const code = sqliteCode(cause)
  if (code === sqliteCodes.full || code === sqliteCodes.io) return true
  return cause instanceof Error && 'code' in cause && fullCodes.has(cause.code)
}
