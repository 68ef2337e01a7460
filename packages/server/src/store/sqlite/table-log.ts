// SQLite's own log of the tables (`<file>-wal`), which a settle writes and does not wait for. A thread of its own syncs it,
// and copies it into the file when it has grown; only then may the journal forget what the tables have.

import { closeSync, fdatasyncSync, openSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

/** What the writer asks of the disk below its tables. */
export interface TableDisk {
  /** Everything committed is on disk when it returns. */
  sync(): void
  /** Calls back when everything committed before is on disk; `bytes` is about how much was written since the last time. */
  syncSoon(bytes: number, done: () => void): void
}

export interface LogTask {
  /** Whether the log has grown enough to be copied into the file. */
  readonly copy: boolean
}

// Less copies pages that change again soon, and every copy is two more syncs; more makes the log long, which readers
// search, and the copy takes longer, during which the tables fall behind.
const copyFromBytes = 24 * 2 ** 20

export class TableLog implements TableDisk {
  readonly #handle: number
  readonly #thread: Worker
  readonly #waiting: (() => void)[] = []
  #grown = 0

  /** Of a file that is open for writing, so that it has a log. */
  constructor(file: string) {
    this.#handle = openSync(logOf(file), 'r+')
    this.#thread = new Worker(new URL('./table-log-thread.ts', import.meta.url), { workerData: { file } })
    this.#thread.on('message', () => this.#waiting.shift()?.())
    // A sync that failed may have lost what it was to keep, and a second one would only seem to repair it: it ends the
    // writer, whose journal still has everything.
    this.#thread.on('error', (cause) => {
      throw new Error(`the log of ${file} could not be synced`, { cause })
    })
  }

  sync(): void {
    fdatasyncSync(this.#handle)
  }

  syncSoon(bytes: number, done: () => void): void {
    this.#grown += bytes
    const task: LogTask = { copy: this.#grown >= copyFromBytes }
    if (task.copy) this.#grown = 0
    this.#waiting.push(done)
    this.#thread.postMessage(task)
  }

  /** Calls back when the thread has let go of the file, so that whoever closes it next is the last. */
  close(done: () => void): void {
    this.#thread.once('exit', () => {
      closeSync(this.#handle)
      done()
    })
    this.#thread.postMessage('close')
  }
}

export function logOf(file: string): string {
  return `${file}-wal`
}
