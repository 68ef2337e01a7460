// The body of the thread that syncs the log of the tables and copies it into the file. It decides nothing: the writer says
// what is due, and is answered when it is done.

import { closeSync, fdatasyncSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { type LogTask, logOf } from './table-log.ts'

if (!parentPort) throw new Error('table-log-thread runs in a thread of the embedded store only')
const port = parentPort
const { file } = workerData as { readonly file: string }
const handle = openSync(logOf(file), 'r+')
const db = new DatabaseSync(file)
db.exec('PRAGMA synchronous = FULL')

port.on('message', (task: LogTask | 'close') => {
  if (task === 'close') return close()
  fdatasyncSync(handle)
  // Without waiting for anybody. On a full disk it fails and the log stays as it is: the writer meets that by itself.
  if (task.copy) copyWhatCanBe()
  port.postMessage('synced')
})

function copyWhatCanBe(): void {
  try {
    db.exec('PRAGMA wal_checkpoint(PASSIVE)')
  } catch {
    // Later, then.
  }
}

function close(): void {
  db.close()
  closeSync(handle)
  port.close()
}
