import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { DiskRoom } from './disk-room.ts'
import { encodeWrite } from './flat-writes.ts'
import { Journal } from './journal.ts'
import { type OwnedDatabase, openForWriting } from './open-database.ts'
import { SyncedAnswers } from './synced-answers.ts'
import type { AnswerGroup } from './thread-messages.ts'
import { settleAfterMs, Writer } from './writer.ts'
import { WriterDesk } from './writer-desk.ts'

describe('the desk of the embedded store', () => {
  let owned: OwnedDatabase
  let journal: HeldJournal
  let writer: Writer
  let desk: WriterDesk
  let answered: AnswerGroup[]
  let short: Int32Array
  let sent = 0
  beforeEach(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'millrace-desk-'))
    const file = join(directory, 'store.sqlite')
    owned = openForWriting(file, 0)
    journal = new HeldJournal(`${file}.held`, 1)
    answered = []
    const disk = { sync: () => undefined, syncSoon: (_bytes: number, done: () => void) => done() }
    const answers = new SyncedAnswers(journal, (groups) => answered.push(...groups))
    short = new Int32Array(1)
    const room = new DiskRoom(directory, 0, short)
    writer = new Writer(owned.db, journal, disk)
    desk = new WriterDesk(writer, answers, new Int32Array(1), room)
    return async () => {
      vi.useRealTimers()
      journal.letGo()
      await new Promise<void>((resolve) => desk.close(resolve))
      room.close()
      journal.close()
      owned.close()
      await rm(directory, { recursive: true })
    }
  })

  function write(jobs: number, at: number, bytes = 0): void {
    const body = 'x'.repeat(bytes)
    const put = Array.from({ length: jobs }, () => ({ key: `job/${++sent}`, head: 'new', body }))
    const packet = encodeWrite({ op: 'commit', change: { id: `change-${sent}`, partition: 'room', put } })
    desk.serve([{ at, first: sent, requests: [packet] }])
  }

  /** How many changes the tables have. */
  const settled = (): number => Number(owned.db.prepare('SELECT settled FROM journal').get()?.['settled'])

  async function turns(): Promise<void> {
    for (let left = 50; left > 0; left--) await new Promise((resolve) => setImmediate(resolve))
  }

  it('[S64] brings the tables no further while somebody waits for the disk, and then does', async () => {
    write(1, 0)
    write(1, settleAfterMs)
    await turns()
    expect(answered).toHaveLength(0)
    expect(settled()).toBe(0)
    journal.letGo()
    await expect.poll(settled).toBe(2)
    expect(answered).toHaveLength(2)
  })

  it.each([
    ['many records', 1_000, 0],
    ['large ones', 1, 5_000_000],
  ])('[S64] does so all the same where the tables fall behind by %s', async (_what, jobs, bytes) => {
    write(2_000, 0)
    for (let writes = 10; writes > 0; writes--) {
      write(jobs, settleAfterMs, bytes)
      await turns()
    }
    expect(settled()).toBeGreaterThan(0)
    expect(answered).toHaveLength(0)
  })

  it('[S64] rests between the slices of a settle that is in no hurry', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    journal.letGo()
    write(3_000, 0)
    write(1, settleAfterMs)
    await turns()
    write(1, settleAfterMs)
    await turns()
    expect(settled()).toBe(0)
    while (settled() === 0) {
      vi.advanceTimersToNextTimer()
      await turns()
    }
    expect(settled()).toBe(2)
  })

  it('[S64] lets a slice wait for a quiet moment, but not for ever', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const slices = vi.spyOn(writer, 'settleSlice')
    journal.letGo()
    write(3_000, 0)
    write(1, settleAfterMs)
    await turns()
    const begun = slices.mock.calls.length
    for (let writes = 10; writes > 0; writes--) {
      vi.advanceTimersByTime(1)
      write(1, settleAfterMs)
      await turns()
    }
    expect(slices.mock.calls.length).toBe(begun)
    vi.advanceTimersByTime(1)
    write(1, settleAfterMs)
    vi.advanceTimersByTime(1)
    await turns()
    expect(slices.mock.calls.length).toBe(begun + 1)
    vi.advanceTimersByTime(1)
    write(1, settleAfterMs)
    vi.advanceTimersByTime(1)
    await turns()
    expect(slices.mock.calls.length).toBe(begun + 1)
    vi.advanceTimersByTime(1)
    await turns()
    expect(slices.mock.calls.length).toBe(begun + 2)
  })

  it('[S64] answers whoever writes before whoever waits for the tables', async () => {
    journal.letGo()
    write(3_000, 0)
    desk.serve([{ at: 0, first: 1_000_000, requests: [{ op: 'settle' }] }])
    write(1, 0)
    const told = (): number => answered.findIndex(({ first, answers }) => first === 1_000_000 && answers[0])
    await expect.poll(told).toBeGreaterThan(answered.findIndex(({ first }) => first === sent))
    expect(settled()).toBeGreaterThan(0)
  })

  it('[S64] tells whoever waits for the tables why they could not be written', async () => {
    journal.letGo()
    owned.db.exec('PRAGMA max_page_count = 1')
    write(1, 0, 1_000_000)
    desk.serve([{ at: 0, first: 1_000_000, requests: [{ op: 'settle' }] }])
    const answer = { first: 1_000_000, answers: [{ fault: expect.objectContaining({ name: 'Error' }) }] }
    await expect.poll(() => answered).toContainEqual(answer)
  })

  it('[S63] tries a settle again several times a second while the disk is full, and says so each time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    journal.letGo()
    owned.db.exec('PRAGMA max_page_count = 1')
    write(1, 0, 1_000_000)
    while (answered.length === 0) await turns()
    vi.advanceTimersByTime(settleAfterMs)
    for (let tries = 4; tries > 0; tries--) {
      await turns()
      expect(short[0]).toBe(1)
      short[0] = 0
      vi.advanceTimersByTime(250)
    }
  })
})

/** Its disk takes until it is let go. */
class HeldJournal extends Journal {
  #held: (() => void)[] = []
  #isHeld = true

  override sync(done: () => void): void {
    super.sync(() => {
      if (this.#isHeld) this.#held.push(done)
      else done()
    })
  }

  letGo(): void {
    this.#isHeld = false
    for (const done of this.#held.splice(0)) done()
  }
}
