// Where the file of the embedded store really is. One file must have one place, whatever links lead to it, because
// the mark of its owner stands beside it; and what can be said against a place is said before anything is created.

import { accessSync, constants, existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { StoreFileUnusable, unusable } from './store-file-faults.ts'

// As many as Linux follows; more are a circle.
const linksAtMost = 40

export function findPlace(file: string): string {
  if (file === '' || file === ':memory:') {
    throw new StoreFileUnusable(
      `'${file}' is no file: a store must outlast its process. Give the path of a file.`,
    )
  }
  try {
    const place = behindLinks(resolve(file))
    checkPlace(file, place)
    return place
  } catch (cause) {
    throw unusable(file, cause)
  }
}

function behindLinks(path: string): string {
  let at = path
  for (let followed = 0; followed < linksAtMost; followed++) {
    if (existsSync(at)) return realpathSync(at)
    if (!lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) return besideReal(at)
    at = resolve(dirname(at), readlinkSync(at))
  }
  throw new Error('its links lead round in a circle')
}

function besideReal(path: string): string {
  const directory = dirname(path)
  return existsSync(directory) ? join(realpathSync(directory), basename(path)) : path
}

function checkPlace(file: string, place: string): void {
  const directory = dirname(place)
  const [found, around] = [place, directory].map((path) => statSync(path, { throwIfNoEntry: false }))
  if (!around?.isDirectory()) {
    throw new StoreFileUnusable(
      `${file} cannot be made: there is no directory ${directory}. Create it first.`,
    )
  }
  if (found && !found.isFile()) {
    const what = found.isDirectory() ? 'a directory' : 'not a regular file'
    throw new StoreFileUnusable(`${file} is ${what}. Give the path of a file.`)
  }
  // SQLite keeps files of its own beside this one, so the directory must be writable even when the file is there.
  for (const path of found ? [place, directory] : [directory]) checkWritable(file, path)
}

function checkWritable(file: string, path: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
  } catch (cause) {
    throw new StoreFileUnusable(
      `${file} cannot be written: this user may not write ${path}. Change its permissions, or give another file.`,
      { cause },
    )
  }
}
