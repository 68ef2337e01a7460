// The body of the two threads that the embedded store talks to. The writer answers everything that has arrived as one group; the
// reader answers one group after the other.

import { dirname } from 'node:path'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { restCollector } from '../collect-at-rest.ts'
import { answerOf } from './answer-of.ts'
import { DiskRoom } from './disk-room.ts'
import { openForReading, openForWriting } from './open-database.ts'
import { Reader } from './reader.ts'
import { SyncedAnswers } from './synced-answers.ts'
import { TableLog } from './table-log.ts'
import type { AnswerGroup, ReadRequest, RequestGroup } from './thread-messages.ts'
import { Writer } from './writer.ts'
import { WriterDesk } from './writer-desk.ts'

export interface ThreadData {
  readonly role: 'writer' | 'reader'
  readonly file: string
  readonly at: number
  /** Not 0 while the tables lack something that was answered. Set before it is answered, cleared when they have it. */
  readonly behind: Int32Array
  /** Not 0 while there is no room for anything new. */
  readonly short: Int32Array
  /** How much of the disk is kept for what is there already. */
  readonly reserveBytes: number
}

if (!parentPort) throw new Error('store-thread runs in a thread of the embedded store only')
const port = parentPort
const { role, file, at, behind, short, reserveBytes } = workerData as ThreadData

interface Server {
  serve(groups: readonly RequestGroup[]): void
  close(closed: () => void): void
}

listen(role === 'writer' ? openWriter() : openReader())
post([])

function openWriter(): Server {
  const owned = openForWriting(file, at)
  const room = new DiskRoom(dirname(file), reserveBytes, short)
  const log = new TableLog(owned.place)
  const answers = new SyncedAnswers(owned.journal, post)
  const collector = restCollector()
  const desk = new WriterDesk(new Writer(owned.db, owned.journal, log), answers, behind, room)
  return {
    serve: (groups) => {
      collector.stirs()
      desk.serve(groups)
      if (!desk.isBusy) collector.rests()
    },
    close: (closed) =>
      desk.close(() => {
        room.close()
        log.close(() => {
          owned.close()
          closed()
        })
      }),
  }
}

function openReader(): Server {
  const db = openForReading(file)
  const reader = new Reader(db)
  const answer = ({ first, requests }: RequestGroup): AnswerGroup => ({
    first,
    answers: (requests as ReadRequest[]).map((request) => answerOf(() => reader.answer(request))),
  })
  return {
    serve: (groups) => post(groups.map(answer)),
    close: (closed) => {
      db.close()
      closed()
    },
  }
}

/** Takes every message that is already there, so that a burst becomes one group. */
function listen(server: Server): void {
  port.on('message', (message: RequestGroup | 'close') => {
    const groups: RequestGroup[] = []
    let next: { message: RequestGroup | 'close' } | undefined = { message }
    while (next && next.message !== 'close') {
      groups.push(next.message)
      next = receiveMessageOnPort(port)
    }
    if (groups.length > 0) server.serve(groups)
    if (next) server.close(() => port.close())
  })
}

function post(groups: readonly AnswerGroup[]): void {
  port.postMessage(groups)
}
