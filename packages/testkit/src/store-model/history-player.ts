// Plays one history on the model and on the stores beside it, and demands the same answer to every step, the same
// state at the end, the same events, and nothing left when all is removed.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Change, Claim, DueRecord, Partition, Put, RecordKey, Store } from '@millrace/server'
import { changeId } from '../store-contract/change-id.ts'
import type { FeedCollector } from './feed-collector.ts'
import {
  type HistoryStep,
  listNames,
  type PutPlan,
  recordCount,
  roomCount,
  wideCount,
} from './history-step.ts'
import { StoreModel } from './store-model.ts'

export interface Subject {
  readonly name: string
  readonly store: Store
  readonly collector: FeedCollector
}

type Ask = (store: Store) => Promise<unknown>
type Of<Kind extends HistoryStep['do']> = Extract<HistoryStep, { do: Kind }>

// More than all histories played side by side ever have due together.
const dueLimit = 100_000

export class HistoryPlayer {
  readonly #model = new StoreModel()
  readonly #modelEvents: FeedCollector
  readonly #subjects: readonly Subject[]
  /** Unique, so that histories played on the same stores do not meet; one is the beginning of the other. */
  readonly #rooms: readonly Partition[]
  readonly #stem: string = randomUUID().slice(0, 13)
  readonly #sent: Ask[] = []

  constructor(subjects: readonly Subject[], collect: (store: Store) => FeedCollector) {
    this.#subjects = subjects
    this.#modelEvents = collect(this.#model)
    this.#rooms = Array.from({ length: roomCount }, (_, n) => (n === 0 ? this.#stem : `${this.#stem}-${n}`))
  }

  async play(steps: readonly HistoryStep[]): Promise<void> {
    await this.#modelEvents.ready
    for (const step of steps) await this.#compare(await this.#askOf(step), step)
    await this.#compareState()
    await this.#compareEvents()
    await this.#removeAll()
    await this.#compareState()
    await this.#model.close()
  }

  async #compare(ask: Ask, about: unknown): Promise<void> {
    const [expected, ...answers] = await Promise.all([
      ask(this.#model),
      ...this.#subjects.map(({ store }) => ask(store)),
    ])
    for (const [n, answer] of answers.entries()) {
      if (sameAnswer(answer, expected)) continue
      assert.deepEqual(
        answer,
        expected,
        `${this.#subjects[n]?.name} and the model differ: ${told(about, answer, expected)}`,
      )
    }
  }

  async #askOf(step: HistoryStep): Promise<Ask> {
    switch (step.do) {
      case 'commit':
        return this.#commit(step)
      case 'claim':
        return this.#claim(step)
      case 'send again':
        return this.#sent[step.which % this.#sent.length] ?? (async () => null)
      case 'read':
        return (store) =>
          store.read(
            this.#room(step.room),
            step.records.map((n) => this.#key(step.room, n)),
          )
      case 'list':
        return this.#list(step)
      case 'queues':
        return (store) => store.queues(this.#room(step.room))
      case 'counters':
        return async (store) => sorted(Object.entries(await store.counters(this.#room(step.room))))
      case 'due':
        return async (store) => this.#ownDue(await store.due(step.now, dueLimit))
    }
  }

  async #commit(step: Of<'commit'>): Promise<Ask> {
    const partition = this.#room(step.room)
    const expectations = step.expect.map(async ({ record, right }) => {
      const key = this.#key(step.room, record)
      const [held] = await this.#model.read(partition, [key])
      return [key, (held?.version ?? 0) + (right ? 0 : 1)] as const
    })
    const versions = new Map(await Promise.all(expectations))
    // Half of what is expected of records that are put is said by the put, the rest by the change.
    const put = step.put.map((plan) => {
      const one = this.#put(step.room, plan)
      const version = versions.get(one.key)
      if (version === undefined || version % 2 === 1) return one
      versions.delete(one.key)
      return { ...one, expect: version }
    })
    const change: Change = {
      id: changeId(),
      partition,
      expect: Object.fromEntries(versions),
      put,
      remove: step.remove.map((n) => this.#key(step.room, n)),
      add: step.add,
      announce: step.tells
        ? put.map(({ key }) => ({ subject: key, event: 'told' }))
        : step.events.map((event, n) => ({ subject: this.#key(step.room, n), event })),
    }
    const ask: Ask = (store) => store.commit(change)
    // Only what was applied is remembered; a stale change sent again is judged anew, which is another history.
    const stale = step.expect.some(({ right }) => !right)
    if (!stale) this.#sent.push(ask)
    return ask
  }

  #claim(step: Of<'claim'>): Ask {
    const [from, to] = step.wide
    const attempts = Array.from({ length: step.wanted }, (_, n) => ({
      attempt: `attempt ${n}`,
      dueAt: step.dueAt + Math.floor(n / 5),
      event: `claimed ${n % 4 < 2}`,
    }))
    const claim: Claim = {
      id: changeId(),
      partition: this.#room(step.room),
      queue: step.queue,
      attempts,
      move: { from: this.#wide(from), to: this.#wide(to) },
      add: { running: 1 },
      ...(step.max === undefined ? {} : { limits: [{ counter: 'running', max: step.max }] }),
    }
    return async (store) => {
      const { records } = await store.claim(claim)
      // Sent again it names the same records; how they look by then is what a read says.
      const again: Ask = async (later) => (await later.claim(claim)).records.map(({ key }) => key)
      if (store === this.#model && records.length > 0) this.#sent.push(again)
      return records
    }
  }

  #list(step: Of<'list'>): Ask {
    const room = step.room ?? 0
    return (store) =>
      store.list({
        partition: step.room === null ? null : this.#room(step.room),
        lists: [...(step.room === null ? [] : step.lists), ...step.wide.map((n) => this.#wide(n))],
        order: step.order,
        limit: step.limit,
        ...(step.after === undefined ? {} : { after: this.#key(room, step.after) }),
        ...(step.before === undefined ? {} : { before: this.#key(room, step.before) }),
      })
  }

  #put(room: number, plan: PutPlan): Put {
    return {
      key: this.#key(room, plan.record),
      head: plan.head,
      lists: plan.lists,
      wideLists: plan.wide.map((n) => this.#wide(n)),
      ...(plan.body === undefined ? {} : { body: plan.body }),
      ...(plan.attempt === undefined ? {} : { attempt: plan.attempt }),
      ...(plan.queue === undefined ? {} : { queue: plan.queue }),
      ...(plan.dueAt === undefined ? {} : { dueAt: plan.dueAt }),
    }
  }

  async #compareState(): Promise<void> {
    const records = Array.from({ length: recordCount }, (_, n) => n)
    const page = { order: 'oldest', limit: 100 } as const
    const wide = Array.from(
      { length: wideCount },
      (_, n) => ({ do: 'list', lists: [], wide: [n], ...page }) as const,
    )
    const inside = this.#rooms.flatMap((_, room): HistoryStep[] => [
      { do: 'read', room, records },
      ...listNames.map((list) => ({ do: 'list', room, lists: [list], wide: [], ...page }) as const),
      ...wide.map((each) => ({ ...each, room })),
      { do: 'queues', room },
      { do: 'counters', room },
    ])
    const across: HistoryStep[] = [...wide.map((each) => ({ ...each, room: null })), { do: 'due', now: 1000 }]
    await Promise.all(
      [...inside, ...across].map(async (step) => this.#compare(await this.#askOf(step), step)),
    )
  }

  async #compareEvents(): Promise<void> {
    for (const partition of this.#rooms) {
      const event = randomUUID()
      const marker = { id: changeId(), partition, announce: [{ subject: 'marker/end', event }] }
      await this.#compare((store) => store.commit(marker), 'marker')
      const expected = await this.#modelEvents.until(partition, event)
      for (const { name, collector } of this.#subjects) {
        assert.deepEqual(
          await collector.until(partition, event),
          expected,
          `events of ${name} differ from the model's`,
        )
      }
    }
  }

  /** What stays behind would be due in every later history. */
  async #removeAll(): Promise<void> {
    for (const [room, partition] of this.#rooms.entries()) {
      const remove = Array.from({ length: recordCount }, (_, n) => this.#key(room, n))
      const change = { id: changeId(), partition, remove }
      await this.#compare((store) => store.commit(change), 'remove all')
    }
  }

  #ownDue(records: readonly DueRecord[]): DueRecord[] {
    const own = records.filter(({ partition }) => this.#rooms.includes(partition))
    const instants = own.map(({ dueAt }) => dueAt)
    assert.deepEqual(
      instants,
      instants.toSorted((a, b) => a - b),
      'due is not in the order of instants',
    )
    return own.toSorted(
      (a, b) => a.dueAt - b.dueAt || (`${a.partition} ${a.key}` < `${b.partition} ${b.key}` ? -1 : 1),
    )
  }

  #room(n: number): Partition {
    return this.#rooms[n] ?? this.#stem
  }

  // Ids are unique across partitions, as UUIDs are, and begin alike when they are of one time.
  #key(room: number, n: number): RecordKey {
    const time = n < 8 ? '0' : '1'
    return `job/${time.repeat(12)}${n}${room}`
  }

  #wide(n: number): string {
    return `${this.#stem}-wide-${n}`
  }
}

function sorted(entries: [string, number][]): [string, number][] {
  return entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
}

function sameAnswer(answer: unknown, expected: unknown): boolean {
  return JSON.stringify(answer) === JSON.stringify(expected)
}

function told(about: unknown, answer: unknown, expected: unknown): string {
  return [about, answer, expected].map((each) => JSON.stringify(each)).join('\n  ')
}
