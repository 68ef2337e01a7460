import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { FeedItem, Store } from '../../ports/store.ts'
import { openSqliteStore } from './sqlite-store.ts'

const hourMs = 3_600_000

describe('a feed of the embedded store', () => {
  let store: Store
  let now: number
  let made = 0
  beforeEach(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'millrace-feed-'))
    now = 100 * hourMs
    store = await openSqliteStore({ file: join(directory, 'store.sqlite'), now: () => now })
    return async () => {
      await store.close()
      await rm(directory, { recursive: true })
    }
  })

  async function announce(...events: string[]): Promise<void> {
    for (const event of events) {
      made += 1
      await store.commit({ id: `change-${made}`, partition: 'room', announce: [{ subject: 'job/1', event }] })
    }
  }

  async function announceMoreThanIsAtHand(): Promise<void> {
    made += 1
    const announcement = { subject: 'job/1', event: 'one of many' }
    const announce = Array.from({ length: 2_001 }, () => announcement)
    await store.commit({ id: `change-${made}`, partition: 'room', announce })
  }

  /** Trims with it: whoever asks for a list makes the tables catch up. */
  async function announceAndSettle(event: string): Promise<void> {
    await announce(event)
    await store.list({ partition: 'room', lists: ['none'], order: 'oldest', limit: 1 })
  }

  const word = (item: FeedItem | undefined): string =>
    item?.kind === 'events' ? item.events.map(({ event }) => event).join() : (item?.kind ?? 'ended')

  it('[S27] a reader that stands still longer than the log is kept meets a reset, and then what is new', async () => {
    const feed = store.feed('now')
    await feed.ready
    const items = feed[Symbol.asyncIterator]()
    await announce('seen')
    expect(word((await items.next()).value)).toBe('seen')
    await announce('missed 1', 'missed 2')
    await announceMoreThanIsAtHand()
    now += hourMs
    await announceAndSettle('trims')
    const reset = (await items.next()).value as FeedItem
    expect(word(reset)).toBe('reset')
    await announce('new')
    expect(word((await items.next()).value)).toBe('new')
    const again = store.feed(reset.position)[Symbol.asyncIterator]()
    expect(word((await again.next()).value)).toBe('new')
  })

  it('[S27] a reader that saw all there was is not reset when it is trimmed behind it', async () => {
    const feed = store.feed('now')
    await feed.ready
    const items = feed[Symbol.asyncIterator]()
    await announce('seen')
    expect(word((await items.next()).value)).toBe('seen')
    now += hourMs
    await announceAndSettle('trims')
    expect(word((await items.next()).value)).toBe('trims')
  })
})
