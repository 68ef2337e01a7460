// The journal beside the store's file: what was answered and does not stand in the tables yet. An entry holds the
// changes of one group, and is synced before anyone in it is answered. Once the tables have them all the journal is
// written again from its beginning; what is left of an earlier turn is known by its numbers and never read again.

import {
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  fsyncSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Packet } from './packet.ts'

export interface JournalEntry {
  /** One higher with every entry of the store's life. */
  readonly number: number
  readonly at: number
  readonly packets: readonly Packet[]
}

/** A sync that failed leaves unknown what the disk has, and a second one would only seem to repair it: it ends the thread. */
class JournalBroken extends Error {
  override readonly name = 'JournalBroken'
}

// Length and checksum of what follows, then number, instant and how many packets.
const checkedFrom = 8
const headBytes = checkedFrom + 8 + 8 + 4

export class JournalFile {
  readonly #path: string
  readonly #salt: number
  readonly #handle: number
  #buffer = Buffer.allocUnsafe(1 << 20)
  #end = 0
  #last = 0
  #isSynced = true

  /** `salt` is the store's own number: a journal that was left by another store matches no checksum. */
  constructor(path: string, salt: number) {
    this.#path = path
    this.#salt = salt
    this.#handle = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o644)
    syncDirectory(dirname(path))
  }

  /** The entries that follow number `settled`, up to the first that is not whole: nobody in that one was answered. */
  entriesAfter(settled: number): JournalEntry[] {
    const bytes = readFileSync(this.#path)
    const entries: JournalEntry[] = []
    let end = 0
    for (let last: number | null = null; ; ) {
      const entry = this.#read(bytes, end)
      if (!entry || entry.number > settled + entries.length + 1) break
      if (last !== null && entry.number !== last + 1) break
      last = entry.number
      end += bytes.readUInt32LE(end)
      if (last > settled) entries.push(entry)
    }
    this.#end = entries.length === 0 ? 0 : end
    this.#last = entries.at(-1)?.number ?? 0
    return entries
  }

  /** Hands the entry to the operating system; it is on disk after a later `sync`. */
  append(entry: JournalEntry): void {
    const length = this.#encode(entry)
    for (let written = 0; written < length; )
      written += writeSync(this.#handle, this.#buffer, written, length - written, this.#end + written)
    this.#end += length
    this.#last = entry.number
    this.#isSynced = false
  }

  /** Whether nothing was appended since the last `sync` began. */
  get isSynced(): boolean {
    return this.#isSynced
  }

  /** How much it holds. */
  get bytes(): number {
    return this.#end
  }

  /** Everything appended before is on disk when it returns. */
  syncNow(): void {
    this.#isSynced = true
    try {
      fdatasyncSync(this.#handle)
    } catch (cause) {
      throw this.#broken(cause)
    }
  }

  /** Calls back when everything appended before is on disk. */
  sync(done: () => void): void {
    this.#isSynced = true
    fdatasync(this.#handle, (cause) => {
      if (cause) throw this.#broken(cause)
      done()
    })
  }

  /** The tables have everything up to number `settled`, durably: begin again, if that is all there is. */
  forget(settled: number): void {
    if (this.#last <= settled) this.#end = 0
  }

  close(): void {
    closeSync(this.#handle)
    if (this.#end === 0) rmSync(this.#path, { force: true })
  }

  #broken(cause: unknown): JournalBroken {
    return new JournalBroken(`${this.#path} could not be synced`, { cause })
  }

  #encode({ number, at, packets }: JournalEntry): number {
    const texts = packets.map(({ text }) => Buffer.byteLength(text))
    let length = headBytes
    for (const [index, { numbers }] of packets.entries())
      length += 8 + numbers.length * 8 + (texts[index] ?? 0)
    if (length > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(length * 2)
    const bytes = this.#buffer
    bytes.writeUInt32LE(length, 0)
    bytes.writeDoubleLE(number, 8)
    bytes.writeDoubleLE(at, 16)
    let end = bytes.writeUInt32LE(packets.length, 24)
    for (const [index, { numbers, text }] of packets.entries()) {
      end = bytes.writeUInt32LE(numbers.length, end)
      end = bytes.writeUInt32LE(texts[index] ?? 0, end)
      bytes.set(bytesOf(numbers), end)
      end += numbers.length * 8
      end += bytes.write(text, end)
    }
    bytes.writeUInt32LE(crc32(bytes.subarray(checkedFrom, length), this.#salt), 4)
    return length
  }

  #read(bytes: Buffer, from: number): JournalEntry | null {
    if (from + headBytes > bytes.length) return null
    const length = bytes.readUInt32LE(from)
    if (length < headBytes || from + length > bytes.length) return null
    const entry = bytes.subarray(from, from + length)
    if (crc32(entry.subarray(checkedFrom), this.#salt) !== entry.readUInt32LE(4)) return null
    const packets: Packet[] = []
    let at = headBytes
    for (let left = entry.readUInt32LE(24); left > 0; left--) {
      const textAt = at + 8 + entry.readUInt32LE(at) * 8
      const end = textAt + entry.readUInt32LE(at + 4)
      packets.push({ numbers: readNumbers(entry, at + 8, textAt), text: entry.toString('utf8', textAt, end) })
      at = end
    }
    return { number: entry.readDoubleLE(8), at: entry.readDoubleLE(16), packets }
  }
}

function bytesOf(numbers: ArrayLike<number>): Uint8Array {
  const row = numbers instanceof Float64Array ? numbers : Float64Array.from(numbers)
  return new Uint8Array(row.buffer, row.byteOffset, row.byteLength)
}

// A copy, because a row of numbers must begin at a multiple of eight bytes.
function readNumbers(bytes: Buffer, from: number, to: number): Float64Array {
  return new Float64Array(Uint8Array.from(bytes.subarray(from, to)).buffer)
}

// Without it a power cut may take the file's name, and with it everything synced into the file.
function syncDirectory(directory: string): void {
  // A directory cannot be opened on Windows, and need not be.
  if (process.platform === 'win32') return
  const handle = openSync(directory, constants.O_RDONLY)
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
