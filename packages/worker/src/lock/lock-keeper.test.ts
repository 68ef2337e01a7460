import type { LockView } from '@millrace/protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sampleProblem, sampleRef } from '../report/sample-line.ts'
import { LockLost, LockRefused } from '../worker-error.ts'
import { LockKeeper } from './lock-keeper.ts'
import type { LockWire } from './lock-line.ts'

type Question = Parameters<LockWire>[0]
type Answer = Parameters<Parameters<LockWire>[1]>[0]

/** A server that writes down what it is asked and answers as it is told. */
class Desk {
  readonly keeper = new LockKeeper()
  readonly asked: { question: Question; answer: (answer: Answer) => void }[] = []
  readonly lost: LockLost[] = []
  readonly onLost = (lost: LockLost): void => void this.lost.push(lost)

  connect(): void {
    this.keeper.open((question, answer) => this.asked.push({ question, answer }))
  }

  get events(): readonly string[] {
    return this.asked.map(({ question }) => question.event)
  }

  /** The oldest question that was not answered gets this answer. */
  async answer(answer: Answer): Promise<void> {
    this.asked.shift()?.answer(answer)
    await vi.advanceTimersByTimeAsync(0)
  }

  grant(fence = 1): Promise<void> {
    return this.answer({ ok: true, ...view(fence) })
  }
}

function view(fence: number, isHeld = true): LockView {
  const holder = { user: 'ann', acquiredAt: 0, expiresAt: 1, message: null }
  return { target: 'trajectory', fence, holder: isHeld ? holder : null }
}

const ref = sampleRef('a')
const request = { target: 'trajectory', ttlMs: 10_000 }
const freed: Answer = { ok: true, ...view(1, false) }
const refusal = (code: string): Answer => ({ ok: false, problem: sampleProblem(code, 409) })

let desk: Desk

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  desk = new Desk()
  desk.connect()
})
afterEach(() => {
  vi.useRealTimers()
})

async function held() {
  const holding = desk.keeper.hold(ref, request, desk.onLost)
  await desk.grant()
  return holding
}

describe('a lock that a job holds', () => {
  it('[K40] is asked for in the name of the attempt, and refused in the words of the server', async () => {
    const holding = desk.keeper.hold(ref, { ...request, message: 'Relaxing' }, desk.onLost)
    expect(desk.asked[0]?.question).toEqual({
      event: 'lock:acquire',
      payload: {
        room: 'lab',
        target: 'trajectory',
        attempt: { job: 'a', token: 'token of a' },
        ttlMs: 10_000,
        message: 'Relaxing',
      },
    })
    const rejects = expect(holding).rejects.toMatchObject({
      code: 'locked',
      message: 'It is locked. (locked)',
    })
    await desk.answer(refusal('locked'))
    await rejects
    await expect(holding).rejects.toBeInstanceOf(LockRefused)
  })

  it('[K40] asked for twice costs one question, and the last release frees it', async () => {
    const [one, two] = [
      desk.keeper.hold(ref, request, desk.onLost),
      desk.keeper.hold(ref, request, desk.onLost),
    ]
    expect(desk.events).toEqual(['lock:acquire'])
    await desk.grant(7)
    expect([(await one).fence, (await two).fence]).toEqual([7, 7])
    await (await one).release()
    expect(desk.events).toEqual([])
    const released = (await two).release()
    expect(desk.events).toEqual(['lock:release'])
    await desk.answer(freed)
    await released
  })

  it('[K41] is refreshed at half of its time to live, again and again', async () => {
    await held()
    for (let round = 0; round < 5; round += 1) {
      await vi.advanceTimersByTimeAsync(4_999)
      expect(desk.events).toEqual([])
      await vi.advanceTimersByTimeAsync(1)
      expect(desk.events).toEqual(['lock:refresh'])
      await desk.grant()
    }
    expect(desk.lost).toEqual([])
  })

  it('[K41] is refreshed at once when the connection is back, and asked for again when it broke meanwhile', async () => {
    await held()
    const other = desk.keeper.hold(ref, { ...request, target: 'selection' }, desk.onLost)
    desk.keeper.close()
    desk.asked.length = 0
    desk.connect()
    expect(desk.events).toEqual(['lock:acquire', 'lock:refresh'])
    await desk.grant(3)
    expect((await other).fence).toBe(3)
  })

  it('[K41] a server that cannot just now is asked again a second later', async () => {
    await held()
    await vi.advanceTimersByTimeAsync(5_000)
    await desk.answer({ ok: false, problem: sampleProblem('store_unavailable', 503) })
    expect(desk.events).toEqual([])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(desk.events).toEqual(['lock:refresh'])
    await desk.grant()
    expect(desk.lost).toEqual([])
  })

  it('[K42] an acquire whose answer was lost counts twice and is released twice', async () => {
    const holding = await held()
    const released = holding.release()
    await desk.grant()
    expect(desk.events).toEqual(['lock:release'])
    await desk.answer(freed)
    await released
  })

  it('[K42] is released when its handler has ended, and what is refused then is no trouble', async () => {
    await held()
    desk.keeper.ended(ref.token)
    expect(desk.events).toEqual(['lock:release'])
    await desk.answer(refusal('attempt_superseded'))
    await vi.advanceTimersByTimeAsync(60_000)
    expect([desk.events, desk.lost]).toEqual([[], []])
  })

  it('[K43] is lost when a refresh is refused, and said once', async () => {
    const holding = await held()
    await vi.advanceTimersByTimeAsync(5_000)
    await desk.answer(refusal('lock_not_held'))
    expect(desk.lost.map(({ message }) => message)).toEqual([
      'The lock on trajectory was lost: It is lock_not_held. (lock_not_held)',
    ])
    await holding.release()
    await vi.advanceTimersByTimeAsync(60_000)
    expect([desk.events, desk.lost.length]).toEqual([[], 1])
  })

  it('[K43] is lost when it could not be refreshed in time, which counts from when it was asked for', async () => {
    await held()
    desk.keeper.close()
    await vi.advanceTimersByTimeAsync(9_999)
    expect(desk.lost).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(desk.lost).toMatchObject([{ message: /not be refreshed in time/ }])
    expect(desk.lost[0]).toBeInstanceOf(LockLost)
    desk.connect()
    expect(desk.events).toEqual([])
  })

  it('[K43] is lost when the connection stays away for longer than the server waits, however long it was to live', async () => {
    const long = desk.keeper.hold(ref, { ...request, ttlMs: 300_000 }, desk.onLost)
    await desk.grant()
    await long
    desk.keeper.close()
    await vi.advanceTimersByTimeAsync(9_000)
    desk.connect()
    await desk.grant()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(desk.lost).toEqual([])
    desk.keeper.close()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(desk.lost).toHaveLength(1)
  })

  it('[K43] is lost with its attempt, and so is one that is still being asked for', async () => {
    await held()
    const other = desk.keeper.hold(ref, { ...request, target: 'selection' }, desk.onLost)
    const rejects = expect(other).rejects.toBeInstanceOf(LockLost)
    desk.keeper.superseded(ref.token)
    await rejects
    expect(desk.lost[0]?.message).toContain('gave this job up')
  })
})
