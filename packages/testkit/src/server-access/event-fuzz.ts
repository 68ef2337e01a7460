// Whatever is sent as an event, by whomever: an acknowledgement from the catalogue, no fault, and a server that goes on.

import { refusalCatalogue } from '@millrace/domain'
import { serverEvents, type ToServerEvent } from '@millrace/protocol'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenedStore, OpenStore } from '../store-contract/contract-scene.ts'
import { type Acknowledged, type EventName, tell } from './event-messages.ts'
import { FuzzScene, fuzzers, patience, seed } from './fuzz-scene.ts'
import { FuzzSockets } from './fuzz-sockets.ts'
import { hostileValue, nested } from './hostile-values.ts'
import { arbitraryOf } from './schema-arbitrary.ts'

interface Stage {
  readonly scene: FuzzScene
  readonly sockets: FuzzSockets
}

const events = Object.keys(serverEvents) as EventName[]

export function describeEventFuzz(storeName: string, openStore: OpenStore): void {
  describe(`fuzzed events, on ${storeName} (MILLRACE_SEED=${seed})`, () => {
    let opened: OpenedStore
    let stage: Stage
    beforeAll(async () => {
      opened = await openStore({})
      const scene = await FuzzScene.open(opened.store)
      stage = { scene, sockets: new FuzzSockets(scene) }
    })
    afterAll(async () => {
      stage?.sockets.close()
      await stage?.scene.close()
      await opened?.close()
    })

    anythingAsPayload(() => stage)
    brokenMessages(() => stage)

    it('[A8] after all of it, the server is well and a job runs from submit to done', () =>
      stage.scene.expectWell())
  })
}

function anythingAsPayload(stage: () => Stage): void {
  it.each(events)('[A7] %s acknowledges whatever it is sent', async (name) => {
    const { scene, sockets } = stage()
    const { event, payload }: ToServerEvent = serverEvents[name]
    const hints = await scene.freshHints(name === 'extensionRegister' ? '/workers' : '')
    const property = fc.asyncProperty(
      fc.constantFrom(...fuzzers),
      arbitraryOf(payload, hints),
      async (who, sent) => {
        // More than a message may have is not answered: the connection is cut.
        fc.pre((JSON.stringify(sent) ?? '').length < 3_000_000)
        expect(unexpectedIn(await sockets.answerTo(who, event, sent))).toBeNull()
        expect(scene.access.server.faults).toEqual([])
      },
    )
    const limits = { numRuns: 80 * patience, interruptAfterTimeLimit: 15_000 * patience }
    await fc.assert(property, { seed, ...limits })
  })

  it('[A7, M161] an event without an acknowledgement, without a payload, or with binary harms nobody', async () => {
    const socket = await stage().sockets.newOf('member')
    const binary = [Buffer.from('binary'), new Uint8Array(3), { room: Buffer.from('hall') }]
    // Twice each for a dozen events: more would be more than a connection may send at once.
    const values = [...fc.sample(hostileValue, { seed, numRuns: 20 }), ...binary]
    for (const { event } of Object.values(serverEvents)) {
      socket.emit(event)
      expect(await socket.emitWithAck(event)).toMatchObject({
        ok: false,
        problem: { code: 'request_invalid' },
      })
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
}

function brokenMessages(stage: () => Stage): void {
  it.each(events)(
    '[M161] %s with more arguments than a message has cuts its own connection and no other',
    async (name) => {
      const [value] = fc.sample(hostileValue, { seed, numRuns: 1 })
      await stage().sockets.cutBy(serverEvents[name].event, value, value, value)
    },
  )

  it.each(events)('[M160] %s that is nested too deep cuts its own connection and no other', async (name) => {
    const { sockets } = stage()
    const deep = nested(3_000, (inner) => [inner])
    await sockets.cutBy(serverEvents[name].event, deep)
    await sockets.cutBy(serverEvents[name].event, [{ room: 'hall', job: 'x', token: 'x', result: deep }])
  })

  it.each(['connect', 'disconnect', 'error', 'disconnecting', 'newListener'])(
    '[A7] an event that is called %s harms nobody',
    async (reserved) => {
      const { sockets } = stage()
      const socket = await sockets.newOf('member')
      const engine = (socket.io as unknown as { engine: { write: (packet: string) => void } }).engine
      engine.write(`2["${reserved}","x"]`)
      engine.write('2["room:join",{"room":"hall"}]')
      engine.write('9garbage')
      socket.close()
      const again = await sockets.newOf('member')
      expect(await tell(again, 'room:leave', { room: 'hall' })).toEqual({ ok: true })
      again.close()
    },
  )

  it('[A7] a message that is too large cuts its own connection and no other', async () => {
    const { sockets } = stage()
    const [member, admin] = [await sockets.newOf('member'), await sockets.newOf('admin')]
    const cut = new Promise((resolve) => member.once('disconnect', resolve))
    member.emit('job:log', [{ room: 'hall', job: 'x', token: 'x', lines: ['x'.repeat(5_000_000)] }])
    await cut
    expect(await tell(admin, 'room:leave', { room: 'hall' })).toEqual({ ok: true })
    admin.close()
  })
}

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
