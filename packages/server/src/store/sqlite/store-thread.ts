// The body of both threads of the embedded store. The writer answers everything that has arrived in one transaction;
// the reader answers one group after the other.

import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { openForReading, openForWriting, ownFile } from './open-database.ts'
import { Reader } from './reader.ts'
import type { AnswerGroup, ReadRequest, RequestGroup, WriteRequest } from './thread-messages.ts'
import { Writer } from './writer.ts'

export interface ThreadData {
  readonly role: 'writer' | 'reader'
  readonly file: string
  readonly at: number
}

if (!parentPort) throw new Error('store-thread runs in a thread of the embedded store only')
const port = parentPort
const { role, file, at } = workerData as ThreadData

interface Server<Group> {
  serve(groups: readonly Group[]): void
  close(): void
}

if (role === 'writer') listen(openWriter())
else listen(openReader())
post([])

function openWriter(): Server<RequestGroup<WriteRequest>> {
  const owner = ownFile(file)
  const db = openForWriting(file, at)
  const writer = new Writer(db)
  return {
    serve: (groups) => {
      const requests = groups.flatMap((group) => group.requests)
      try {
        const answers = writer.write(requests, groups.at(-1)?.at ?? at)
        post(groups.map((group) => ({ first: group.first, answers: answers.splice(0, group.requests.length) })))
      } catch (fault) {
        post(groups.map((group) => failure(group, fault)))
      }
    },
    close: () => {
      db.close()
      owner.close()
    },
  }
}

function openReader(): Server<RequestGroup<ReadRequest>> {
  const db = openForReading(file)
  const reader = new Reader(db)
  const answer = (group: RequestGroup<ReadRequest>): AnswerGroup => {
    try {
      return { first: group.first, answers: group.requests.map((request) => reader.answer(request)) }
    } catch (fault) {
      return failure(group, fault)
    }
  }
  return { serve: (groups) => post(groups.map(answer)), close: () => db.close() }
}

/** Takes every message that is already there, so that a burst becomes one group. */
function listen<Group>(server: Server<Group>): void {
  port.on('message', (message: Group | 'close') => {
    const groups: Group[] = []
    let next: { message: Group | 'close' } | undefined = { message }
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

function failure({ first, requests }: RequestGroup<unknown>, fault: unknown): AnswerGroup {
  const { name, message } = fault instanceof Error ? fault : new Error(String(fault))
  return { first, count: requests.length, fault: { name, message } }
}
