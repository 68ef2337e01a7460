import type { WorkerId } from '@millrace/domain'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ReservedSlots } from '../job/reserved-slots.ts'
import { SlotRequests } from './slot-requests.ts'
import { placeOf, WaitingQueues } from './waiting-queues.ts'

const [room, queue] = ['lab', 'room/analysis/Noop/']
const key = placeOf(room, queue)
const worker = 'worker-1' as WorkerId
const slots: ReservedSlots = { workers: [worker], acceptMs: 1_000, fill: () => undefined }

describe('submits that ask for slots', () => {
  let waiting: WaitingQueues
  let requests: SlotRequests
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    // Nothing here looks at the store.
    waiting = new WaitingQueues({} as ConstructorParameters<typeof WaitingQueues>[0])
    requests = new SlotRequests(waiting)
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** What became of a request, or 'waits'. */
  function ask(count = 1): { answer: ReservedSlots | null | 'waits' } {
    const asked: { answer: ReservedSlots | null | 'waits' } = { answer: 'waits' }
    void requests.add({ room, queue, count, score: 0 }).then((answer) => {
      asked.answer = answer
    })
    return asked
  }
  const plan = (workers: readonly WorkerId[]): void => {
    const round = requests.take()
    if (round.has(key)) round.deal(key, workers, () => slots)
    requests.keep(round)
  }

  it('[M210] one job for which a plan has nothing is dealt a slot by the next', async () => {
    const asked = ask()
    plan([])
    await vi.advanceTimersByTimeAsync(2)
    expect(asked.answer).toBe('waits')
    plan([worker])
    await vi.advanceTimersByTimeAsync(0)
    expect(asked.answer).toBe(slots)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('[M210] it waits a few milliseconds and no longer, however many plans have nothing for it', async () => {
    const asked = ask()
    for (let n = 0; n < 3; n++) {
      plan([])
      expect(asked.answer).toBe('waits')
      await vi.advanceTimersByTimeAsync(1)
    }
    expect(asked.answer).toBeNull()
    expect(requests.take().isEmpty).toBe(true)
  })

  it('[M210] one whose time is up during a plan may be dealt by it, and waits for no other', async () => {
    const [first, second] = [ask(), ask()]
    plan([])
    const round = requests.take()
    await vi.advanceTimersByTimeAsync(10)
    expect([first.answer, second.answer]).toEqual(['waits', 'waits'])
    round.deal(key, [worker], () => slots)
    requests.keep(round)
    await vi.advanceTimersByTimeAsync(0)
    expect([first.answer, second.answer]).toEqual([slots, null])
  })

  it('[M210] a bulk does not wait, nor does one behind somebody, nor one whose class no plan will serve', async () => {
    const bulk = ask(2)
    plan([])
    await vi.advanceTimersByTimeAsync(0)
    expect(bulk.answer).toBeNull()

    const hopeless = ask()
    const round = requests.take()
    round.refuse((one) => one === key)
    requests.keep(round)
    await vi.advanceTimersByTimeAsync(0)
    expect(hopeless.answer).toBeNull()

    const behind = ask()
    plan([])
    waiting.added(room, queue, 1, 0)
    plan([worker])
    await vi.advanceTimersByTimeAsync(0)
    expect(behind.answer).toBeNull()
    expect(vi.getTimerCount()).toBe(0)
  })
})
