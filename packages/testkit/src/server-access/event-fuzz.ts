// Whatever is sent as an event, by whomever: an acknowledgement from the catalogue, no fault, and a server that goes on.

import { refusalCatalogue } from '@millrace/domain'
import { serverEvents, type ToServerEvent } from '@millrace/protocol'
import fc from 'fast-check'
import type { Socket } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiClient } from '../server/api-client.ts'
import type { OpenedStore } from '../store-contract/contract-scene.ts'
import { sqliteOpener } from '../store-contract/sqlite-opener.ts'
import { type Acknowledged, type EventName, tell } from './event-messages.ts'
import { FuzzScene, fuzzers, patience, seed } from './fuzz-scene.ts'
import { hostileValue, nested } from './hostile-values.ts'
import { arbitraryOf } from './schema-arbitrary.ts'
import type { Who } from './who.ts'

describe(`fuzzed events (MILLRACE_SEED=${seed})`, () => {
  let opened: OpenedStore
  let scene: FuzzScene
  const sockets = new Map<Who, Socket>()
  beforeAll(async () => {
    opened = await sqliteOpener({})
    scene = await FuzzScene.open(opened.store)
  })
  afterAll(async () => {
    for (const socket of sockets.values()) socket.close()
    await scene?.close()
    await opened?.close()
  })

  async function socketOf(who: Who): Promise<Socket> {
    const open = sockets.get(who)
    if (open?.connected) return open
    const socket = await newSocketOf(who)
    sockets.set(who, socket)
    return socket
  }

  async function newSocketOf(who: Who): Promise<Socket> {
    return new ApiClient(scene.access.server.url, await scene.tokenOf(who)).socket()
  }

  /** What it says may make a connection a worker, which is cut when it shows no sign of life; then a new one says it. */
  async function answerTo(who: Who, event: string, sent: unknown): Promise<Acknowledged> {
    const socket = await socketOf(who)
    const answer = await tell(socket, event, sent).catch((fault) => {
      if (socket.connected) throw fault
      return null
    })
    return answer ?? tell(await socketOf(who), event, sent)
  }

  it.each(Object.keys(serverEvents) as EventName[])(
    '[A7] %s acknowledges whatever it is sent',
    async (name) => {
      const { event, payload }: ToServerEvent = serverEvents[name]
      const hints = await scene.freshHints(name === 'extensionRegister' ? '/workers' : '')
      const property = fc.asyncProperty(
        fc.constantFrom(...fuzzers),
        arbitraryOf(payload, hints),
        async (who, sent) => {
          // More than a message may have is not answered: the connection is cut.
          fc.pre((JSON.stringify(sent) ?? '').length < 3_000_000)
          expect(unexpectedIn(await answerTo(who, event, sent))).toBeNull()
          expect(scene.access.server.faults).toEqual([])
        },
      )
      await fc.assert(property, { seed, numRuns: 80 * patience, interruptAfterTimeLimit: 15_000 * patience })
    },
  )

  it('[A7] an event without an acknowledgement, or with binary, harms nobody', async () => {
    const socket = await newSocketOf('member')
    const binary = [Buffer.from('binary'), new Uint8Array(3), { room: Buffer.from('hall') }]
    // Twice each for a dozen events: more would be more than a connection may send at once.
    const values = [...fc.sample(hostileValue, { seed, numRuns: 20 }), ...binary]
    for (const { event } of Object.values(serverEvents)) {
      socket.emit(event)
      for (const value of values) {
        socket.emit(event, value)
        expect(unexpectedIn(await tell(socket, event, value))).toBeNull()
      }
    }
    for (const event of ['', 'unknown', '__proto__', 'job:assigned', 'x'.repeat(10_000)])
      socket.emit(event, {})
    expect(await tell(socket, 'room:leave', { room: 'hall' })).toEqual({ ok: true })
    socket.close()
  })

  it.each(Object.keys(serverEvents) as EventName[])(
    '[M161] %s with more arguments than a message has cuts its own connection and no other',
    async (name) => {
      const [value] = fc.sample(hostileValue, { seed, numRuns: 1 })
      await cutBy(serverEvents[name].event, value, value, value)
    },
  )

  it.each(Object.keys(serverEvents) as EventName[])(
    '[M160] %s that is nested too deep cuts its own connection and no other',
    async (name) => {
      const deep = nested(3_000, (inner) => [inner])
      await cutBy(serverEvents[name].event, deep)
      await cutBy(serverEvents[name].event, [{ room: 'hall', job: 'x', token: 'x', result: deep }])
    },
  )

  /** A connection of its own says it and is cut, while another of the same user goes on. */
  async function cutBy(event: string, ...sent: readonly unknown[]): Promise<void> {
    const [other, socket] = await Promise.all([newSocketOf('member'), newSocketOf('member')])
    const cut = new Promise((resolve) => socket.once('disconnect', resolve))
    socket.emit(event, ...sent)
    await cut
    expect(await tell(other, 'room:leave', { room: 'hall' })).toEqual({ ok: true })
    other.close()
    expect(scene.access.server.faults).toEqual([])
  }

  it.each(['connect', 'disconnect', 'error', 'disconnecting', 'newListener'])(
    '[A7] an event that is called %s harms nobody',
    async (reserved) => {
      const socket = await newSocketOf('member')
      const engine = (socket.io as unknown as { engine: { write: (packet: string) => void } }).engine
      engine.write(`2["${reserved}","x"]`)
      engine.write('2["room:join",{"room":"hall"}]')
      engine.write('9garbage')
      socket.close()
      const again = await newSocketOf('member')
      expect(await tell(again, 'room:leave', { room: 'hall' })).toEqual({ ok: true })
      again.close()
    },
  )

  it('[A7] a message that is too large cuts its own connection and no other', async () => {
    const [member, admin] = [await newSocketOf('member'), await newSocketOf('admin')]
    const cut = new Promise((resolve) => member.once('disconnect', resolve))
    member.emit('job:log', [{ room: 'hall', job: 'x', token: 'x', lines: ['x'.repeat(5_000_000)] }])
    await cut
    expect(await tell(admin, 'room:leave', { room: 'hall' })).toEqual({ ok: true })
    admin.close()
  })

  it('[A8] after all of it, the server is well and a job runs from submit to done', () => scene.expectWell())
})

/** Null where it is ok or a refusal that the catalogue has, for the message and for each report in it. */
function unexpectedIn(answer: Acknowledged): string | null {
  const problems = [
    answer.ok ? undefined : answer.problem,
    ...(answer.answers ?? []).map((one) => one.problem),
  ]
  if (!answer.ok && !answer.problem) return `refused without a problem: ${JSON.stringify(answer)}`
  const codes = problems.flatMap((problem) => (problem ? [problem.code] : []))
  const odd = codes.find((code) => !(code in refusalCatalogue) || code === 'internal')
  return odd === undefined ? null : `the code ${odd}`
}
