// Sees that one of a set of files is no longer what it was when it was read. It looks at their folders, because most
// editors save a file by putting another in its place.

import { type FSWatcher, watch } from 'node:fs'
import { dirname } from 'node:path'
import { type FileStamp, stampFile } from './file-stamp.ts'

/** Saving is several steps, and several files are often saved at once. */
const settleMs = 50

export class FileWatch {
  readonly #stamps = new Map<string, string>()
  readonly #folders = new Map<string, FSWatcher>()
  #seen: (path: string) => void = () => undefined
  /** Resolves with the first file that was found changed. */
  readonly changed: Promise<string> = new Promise((resolve) => {
    this.#seen = resolve
  })
  #timer: NodeJS.Timeout | null = null

  /** With the stamp that it had when it was read: what changed since then is seen too. */
  add({ path, stamp }: FileStamp): void {
    this.#stamps.set(path, stamp)
    const folder = dirname(path)
    if (!this.#folders.has(folder)) this.#watch(folder)
    this.#lookSoon()
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    for (const watcher of this.#folders.values()) watcher.close()
    this.#folders.clear()
    this.#stamps.clear()
  }

  #watch(folder: string): void {
    try {
      const watcher = watch(folder, () => this.#lookSoon())
      // The folder was removed; that its files are gone has been seen.
      watcher.on('error', () => watcher.close())
      this.#folders.set(folder, watcher)
    } catch {
      // An import of a folder that is not there; its importer is watched.
    }
  }

  #lookSoon(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#look(), settleMs)
  }

  #look(): void {
    const changed = [...this.#stamps].find(([path, stamp]) => stampFile(path).stamp !== stamp)
    if (changed) this.#seen(changed[0])
  }
}
