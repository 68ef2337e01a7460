// The body of both threads of the embedded store. The writer answers everything that has arrived in one transaction;
// the reader answers one group after the other.

import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { type Cell, decodeWrites, encodeAnswers } from './flat-writes.ts'
import { openForReading, openForWriting } from './open-database.ts'
import { Reader } from './reader.ts'
import type { AnswerGroup, ReadRequest, RequestGroup } from './thread-messages.ts'
import { Writer } from './writer.ts'

export interface ThreadData {
  readonly role: 'writer' | 'reader'
  readonly file: string
  readonly at: number
}

if (!parentPort) throw new Error('store-thread runs in a thread of the embedded store only')
const port = parentPort
const { role, file, at } = workerData as ThreadData

interface Server {
  serve(groups: readonly RequestGroup[]): void
  close(): void
}

listen(role === 'writer' ? openWriter() : openReader())
post([])

function openWriter(): Server {
  const owned = openForWriting(file, at)
  const writer = new Writer(owned.db)
  return {
    serve: (groups) => {
      try {
        const requests = groups.flatMap((group) => decodeWrites(group.requests as Cell[]))
        const all = writer.write(requests, groups.at(-1)?.at ?? at)
        post(groups.map((group) => answered(group, encodeAnswers(all.splice(0, group.count)))))
      } catch (fault) {
        post(groups.map((group) => failed(group, fault)))
      }
    },
    close: () => owned.close(),
  }
}

function openReader(): Server {
  const db = openForReading(file)
  const reader = new Reader(db)
  const answer = (group: RequestGroup): AnswerGroup => {
    try {
      return answered(
        group,
        (group.requests as ReadRequest[]).map((request) => reader.answer(request)),
      )
    } catch (fault) {
      return failed(group, fault)
    }
  }
  return { serve: (groups) => post(groups.map(answer)), close: () => db.close() }
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
    if (next) {
      server.close()
      port.close()
    }
  })
}

function post(groups: readonly AnswerGroup[]): void {
  port.postMessage(groups)
}

function answered({ first, count }: RequestGroup, answers: unknown): AnswerGroup {
  return { first, count, answers }
}

function failed({ first, count }: RequestGroup, fault: unknown): AnswerGroup {
  const { name, message } = fault instanceof Error ? fault : new Error(String(fault))
  return { first, count, fault: { name, message } }
}
