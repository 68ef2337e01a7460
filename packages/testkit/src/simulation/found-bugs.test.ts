// What histories have found, each in its smallest form.

import {
  type AttemptToken,
  defaultNeed,
  enrolWorker,
  graceMs,
  isRefusal,
  type JobId,
  type Refusal,
  type RoomName,
  refuse,
} from '@millrace/domain'
import {
  ActiveJobs,
  askForBeats,
  type Channel,
  Elsewhere,
  Extensions,
  HeldLocks,
  type QueueDepth,
  StoreUnavailable,
  surroundingsOf,
  Upkeep,
} from '@millrace/server'
import { describe, expect, it } from 'vitest'
import { StoreModel } from '../store-model/store-model.ts'
import { Life, VirtualClock } from './virtual-clock.ts'
import { withVirtualTimers } from './virtual-timers.ts'
import { everybody } from './world.ts'

const intervalMs = 1_000

/** A store whose queues can be read as the case says. */
class MoodyStore extends StoreModel {
  readonly clock: VirtualClock
  mood: 'well' | 'late' | 'silent' | 'out' = 'well'

  constructor(clock: VirtualClock) {
    super({ now: () => clock.now })
    this.clock = clock
  }

  override queues(): Promise<QueueDepth[]> {
    if (this.mood === 'silent') return new Promise(() => undefined)
    if (this.mood === 'late')
      return new Promise((resolve) => void this.clock.after(new Life('store'), graceMs, () => resolve([])))
    return this.mood === 'well' ? super.queues() : Promise.reject(new StoreUnavailable('out'))
  }
}

interface Scene {
  readonly clock: VirtualClock
  readonly store: MoodyStore
  readonly upkeep: Upkeep
  readonly asked: number[]
  pass(ms: number): Promise<void>
}

function inScene(play: (scene: Scene) => Promise<void>): Promise<void> {
  const clock = new VirtualClock(0)
  return withVirtualTimers(clock, () => {
    const store = new MoodyStore(clock)
    const asked: number[] = []
    const { waiting } = surroundingsOf(store, new Extensions(store))
    const upkeep = new Upkeep({
      store,
      due: { handlers: {} },
      waiting,
      askForBeats: (now) => asked.push(now),
      wake: () => undefined,
      intervalMs,
      onFault: () => undefined,
    })
    const pass = async (ms: number): Promise<void> => {
      const until = clock.now + ms
      // The first lets promises come to rest that the case itself has begun.
      for (const delayMs of [0, ms]) clock.after(new Life('case'), delayMs, () => undefined)
      await clock.run(() => clock.now >= until)
    }
    return play({ clock, store, upkeep, asked, pass })
  })
}

const worker = enrolled(enrolWorker(null, { id: 'w', kind: 'client', offers: {} }, everybody, 0))

function enrolled<Value>(answer: Value | Refusal): Value {
  if (isRefusal(answer)) throw new Error(answer.message)
  return answer
}

const silentChannel: Channel = {
  ahead: 0,
  ready: () => Number.POSITIVE_INFINITY,
  assign: () => [],
  stop: () => undefined,
  close: () => undefined,
}

describe('a bug that a history found', () => {
  it('[M34] workers are asked for beats while a tick waits for the store', () =>
    inScene(async ({ store, upkeep, asked, pass }) => {
      upkeep.start()
      store.mood = 'silent'
      await pass(20 * intervalMs)
      expect(asked.at(-1)).toBeGreaterThanOrEqual(19 * intervalMs)
    }))

  it('[W20] the grace after an outage is counted from the first tick that succeeds', () =>
    inScene(async ({ store, upkeep, pass }) => {
      upkeep.start()
      store.mood = 'out'
      await pass(graceMs + intervalMs / 2)
      store.mood = 'well'
      await pass(intervalMs)
      expect(upkeep.steadySince).toBe(graceMs + intervalMs)
    }))

  it('[W20] a store that took long to answer was out, though no call failed', () =>
    inScene(async ({ store, upkeep, pass }) => {
      upkeep.start()
      store.mood = 'late'
      await pass(intervalMs + graceMs + intervalMs / 2)
      expect(upkeep.steadySince).toBe(intervalMs + graceMs)
    }))

  it('[W20] the grace after a start is counted from when workers can be heard', () =>
    inScene(async ({ upkeep, pass }) => {
      await pass(graceMs)
      upkeep.start()
      expect(upkeep.steadySince).toBe(graceMs)
    }))

  it('[M34] a worker that can be reached is asked, though the end of an old connection was written last', () => {
    const store = new StoreModel()
    const { roster } = surroundingsOf(store, new Extensions(store))
    let asked = 0
    const away = { ...worker, lease: { ...worker.lease, presence: 'away' as const } }
    const channel = { ...silentChannel, ask: () => void asked++ }
    roster.station({ worker: away, serves: [], channel: 'push' }, 1, channel, 0)
    askForBeats(roster, { heard: () => Promise.reject() } as never, 60_000)
    expect(asked).toBe(1)
  })

  it('[M34] a worker that was declared lost elsewhere is shown the door by its next beat', async () => {
    const store = new StoreModel()
    const { roster } = surroundingsOf(store, new Extensions(store))
    let closed = 0
    const channel: Channel = {
      ...silentChannel,
      ask: (answered) => answered(null),
      close: () => void closed++,
    }
    roster.station({ worker, serves: [], channel: 'push' }, 1, channel, 0)
    askForBeats(roster, { heard: async () => refuse('worker_lost') } as never, 60_000)
    await new Promise((resolve) => setImmediate(resolve))
    expect([closed, roster.size]).toEqual([1, 0])
  })

  it('[M43] an attempt that ended elsewhere gives its slot back, though the store could not be read at first', () =>
    inScene(async ({ store, pass }) => {
      const { roster } = surroundingsOf(store, new Extensions(store))
      const [job, token] = ['a' as JobId, 't' as AttemptToken]
      roster.station({ worker, serves: [], channel: 'push' }, 1, silentChannel, 0)
      roster.begin(worker.id, {
        room: 'lab' as RoomName,
        job,
        token,
        need: defaultNeed,
        short: false,
        quick: false,
      })
      const turns = { take: (_tokens: unknown, work: () => Promise<void>) => work() }
      const locks = { held: new HeldLocks(store) }
      const parts = {
        store,
        roster,
        locks,
        active: new ActiveJobs(),
        reports: { turns },
        wake: () => undefined,
      }
      const reads = [Promise.reject(new StoreUnavailable('out'))]
      store.read = () => reads.shift() ?? Promise.resolve([null])
      const event = JSON.stringify({ type: 'job:state_changed', status: 'completed' })
      new Elsewhere(parts as never, () => undefined).onBatch({
        partition: 'lab',
        at: 0,
        events: [{ sequence: 1, subject: `job/${job}`, event }],
      })
      await pass(5_000)
      expect(roster.tokensOf(job)).toEqual([])
      expect(roster.get(worker.id)?.capacity.taken.slots).toBe(0)
    }))
})
