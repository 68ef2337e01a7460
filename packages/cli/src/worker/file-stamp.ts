// Tells one content of a file from another without reading it: a file that was saved has another stamp.

import { statSync } from 'node:fs'

export interface FileStamp {
  readonly path: string
  /** Of a file that is not there it is empty. */
  readonly stamp: string
}

export function stampFile(path: string): FileStamp {
  const stat = statSync(path, { throwIfNoEntry: false })
  return { path, stamp: stat === undefined ? '' : `${stat.ino} ${stat.mtimeMs} ${stat.size}` }
}
