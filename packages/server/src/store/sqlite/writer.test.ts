import { copyFileSync, existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Change, Claim } from '../../ports/store.ts'
import { encodeWrite, type WriteRequest } from './flat-writes.ts'
import { Journal } from './journal.ts'
import type { JournalEntry } from './journal-file.ts'
import { type OwnedDatabase, openForWriting } from './open-database.ts'
import { logOf, type TableDisk } from './table-log.ts'
import { Writer } from './writer.ts'

const tables = ['partition', 'list', 'counter', 'log', 'answered', 'journal']
// Numbers of rows depend on when they were settled, and nobody outside sees them.
const records = `SELECT r.partition, r.key, r.version, r.attempt, r.head, r.body, b.body AS long, r.due_at, r.queue, r.score,
  r.list_a, r.list_b, r.list_c, r.list_d FROM record r LEFT JOIN long_body b ON b.record = r.id ORDER BY 1, 2`
const bodiesOfNobody = 'SELECT * FROM long_body WHERE record NOT IN (SELECT id FROM record)'

const name = fc.constantFrom('a', 'b', 'c')
const key = fc.integer({ min: 0, max: 7 }).map((n) => `job/${n}`)
const put = fc.record(
  {
    key,
    head: fc.string({ maxLength: 3, unit: 'grapheme-ascii' }),
    attempt: fc.constant('earlier'),
    body: fc.constantFrom('short', 'long'.repeat(1000)),
    lists: fc.uniqueArray(name, { maxLength: 2 }),
    wideLists: fc.uniqueArray(name, { maxLength: 2 }),
    queue: fc.record({ name, score: fc.integer({ min: -2, max: 2 }) }),
    dueAt: fc.nat(5),
  },
  { requiredKeys: ['key', 'head'] },
)
const change: fc.Arbitrary<Omit<Change, 'id'>> = fc.record(
  {
    partition: name,
    put: fc.uniqueArray(put, { maxLength: 4, selector: (one) => one.key }),
    remove: fc.uniqueArray(key, { maxLength: 2 }),
    add: fc.dictionary(name, fc.integer({ min: -1, max: 1 })),
    announce: fc.array(fc.record({ subject: key, event: fc.constant('told') }), { maxLength: 2 }),
  },
  { requiredKeys: ['partition'] },
)
const claim: fc.Arbitrary<Omit<Claim, 'id'>> = fc.record({
  partition: name,
  queue: name,
  attempts: fc.array(fc.constant({ attempt: 'mine', dueAt: 3, event: 'taken' }), { maxLength: 3 }),
  move: fc.record({ from: name, to: name }),
  limits: fc.constant([{ counter: 'a', max: 3 }]),
  add: fc.constant({ a: 1 }),
})
const step = fc.oneof(
  { weight: 4, arbitrary: change.map((what) => ({ do: 'commit', what }) as const) },
  { weight: 3, arbitrary: claim.map((what) => ({ do: 'claim', what }) as const) },
  { weight: 3, arbitrary: fc.constant({ do: 'slice' } as const) },
  { weight: 1, arbitrary: fc.constant({ do: 'settle' } as const) },
  { weight: 1, arbitrary: fc.constant({ do: 'synced' } as const) },
)

/** All about one queue, most of which the tables have. */
const queuedPut = fc.record(
  {
    key: fc.integer({ min: 0, max: 19 }).map((n) => `job/${n}`),
    head: fc.constantFrom('x', 'y'),
    queue: fc.record({ name: fc.constant('a'), score: fc.integer({ min: 0, max: 3 }) }),
  },
  { requiredKeys: ['key', 'head'] },
)
const stepOfQueue = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .uniqueArray(queuedPut, { minLength: 1, maxLength: 6, selector: (one) => one.key })
      .map((puts) => ({ do: 'commit', what: { partition: 'a', put: puts } }) as const),
  },
  {
    weight: 5,
    arbitrary: fc
      .array(fc.constant({ attempt: 'mine', dueAt: 3, event: 'taken' }), { minLength: 1, maxLength: 2 })
      .map((attempts) => {
        const what = { partition: 'a', queue: 'a', attempts, move: { from: 'b', to: 'c' } }
        return { do: 'claim', what } as const
      }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'slice' } as const) },
  { weight: 3, arbitrary: fc.constant({ do: 'settle' } as const) },
  { weight: 1, arbitrary: fc.constant({ do: 'synced' } as const) },
)

describe('the writer of the embedded store', () => {
  let directory: string
  let opened: OwnedDatabase[]
  let made = 0
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'millrace-writer-'))
    opened = []
    return async () => {
      for (const each of opened) each.close()
      await rm(directory, { recursive: true })
    }
  })

  function open(file: string): { writer: Writer; owned: OwnedDatabase; disk: SlowDisk } {
    const owned = openForWriting(file, 0)
    opened.push(owned)
    const disk = new SlowDisk(file)
    return { owned, disk, writer: new Writer(owned.db, owned.journal, disk) }
  }

  /** What a kill at this moment would leave. */
  function image(file: string): string {
    const copy = `${file}.${++made}`
    for (const end of ['', '-wal', '.journal', '.journal2'])
      if (existsSync(file + end)) copyFileSync(file + end, copy + end)
    return copy
  }

  /** What a power cut at this moment would leave, if the disk had kept nothing of the tables' log that it need not. */
  function imageOfPowerCut(file: string): string {
    const copy = image(file)
    copyFileSync(`${file}.synced-wal`, logOf(copy))
    return copy
  }

  const dump = ({ db }: OwnedDatabase): unknown =>
    [...tables.map((table) => `SELECT * FROM ${table} ORDER BY 1, 2`), records, bodiesOfNobody].map((sql) =>
      db.prepare(sql).all(),
    )

  it.each([
    ['a kill', image],
    ['a power cut', imageOfPowerCut],
  ])(
    '[S61] after %s at any moment the store is opened with the tables it would have had without',
    (_what, left) => {
      const plays = fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
        const file = join(directory, `store-${++made}.sqlite`)
        const { writer, owned, disk } = open(file)
        for (const one of steps) {
          if (one.do === 'settle') writer.settle()
          else if (one.do === 'slice') writer.settleSlice(0)
          else if (one.do === 'synced') disk.finish()
          else writer.write([encodeWrite(requestOf(one, `id-${++made}`))], made)
        }
        const after = open(left(file))
        expect(after.writer.isSettled).toBe(true)
        writer.settle()
        expect(dump(after.owned)).toEqual(dump(owned))
        for (const each of opened.splice(0)) each.close()
      })
      fc.assert(plays, { numRuns: 100, seed: 20_261_116 })
    },
  )

  it('[S66] rows that are read ahead of a claim change neither what it answers nor what it leaves', () => {
    let readOnes = 0
    const plays = fc.property(fc.array(stepOfQueue, { minLength: 1, maxLength: 40 }), (steps) => {
      const [plain, ahead] = [open(join(directory, `p-${++made}`)), open(join(directory, `a-${++made}`))]
      for (const one of steps) {
        const at = ++made
        const answers = [plain, ahead].map(({ writer, disk }) => {
          if (one.do === 'settle') return writer.settle()
          if (one.do === 'slice') return writer.settleSlice(0)
          if (one.do === 'synced') return disk.finish()
          return writer.write([encodeWrite(requestOf(one, `id-${at}`))], at)
        })
        expect(answers[1]).toEqual(answers[0])
        readOnes += Number(ahead.writer.readAhead())
      }
      plain.writer.settle()
      ahead.writer.settle()
      // Every store has a salt of its own.
      const kept = (owned: OwnedDatabase) =>
        (dump(owned) as unknown[]).toSpliced(tables.indexOf('journal'), 1)
      expect(kept(ahead.owned)).toEqual(kept(plain.owned))
      for (const each of opened.splice(0)) each.close()
    })
    fc.assert(plays, { numRuns: 100, seed: 20_261_118 })
    expect(readOnes).toBeGreaterThan(20)
  })

  it.each([
    { letters: 10, isKept: true },
    { letters: 200_000, isKept: false },
  ])('[S66] bodies of $letters letters are kept for the next claim: $isKept', ({ letters, isKept }) => {
    const { writer } = open(join(directory, 'store.sqlite'))
    const body = 'x'.repeat(letters)
    const queue = { name: 'a', score: 0 }
    const puts = Array.from({ length: 8 }, (_, n) => ({ key: `job/${n}`, head: 'h', body, queue }))
    const attempts = Array.from({ length: 2 }, () => ({ attempt: 'mine', dueAt: 3, event: 'taken' }))
    const what = { partition: 'a', queue: 'a', attempts, move: { from: 'b', to: 'c' } }
    writer.write([encodeWrite(requestOf({ do: 'commit', what: { partition: 'a', put: puts } }, 'id-0'))], 1)
    writer.settle()
    for (const id of ['id-1', 'id-2']) {
      writer.write([encodeWrite(requestOf({ do: 'claim', what }, id))], 2)
      expect(writer.readAhead()).toBe(isKept)
    }
    const left = writer.state.read('a', ['job/3', 'job/4'])
    expect(left.map((record) => record?.attempt)).toEqual(['mine', null])
  })

  it('[S61] a change that could not be written to the journal leaves nothing in memory', () => {
    const file = join(directory, 'store.sqlite')
    const { owned } = open(file)
    const journal = new FillingJournal(`${file}.filling`, 1)
    const writer = new Writer(owned.db, journal, new SlowDisk(file))
    const write = (id: string, head: string): unknown => {
      const what = { partition: 'a', put: [{ key: 'job/1', head }] }
      return writer.write([encodeWrite(requestOf({ do: 'commit', what }, id))], 1)
    }
    write('one', 'kept')
    journal.isFull = true
    expect(() => write('two', 'lost')).toThrow('no space left')
    journal.isFull = false
    writer.recover()
    expect(writer.state.read('a', ['job/1'])).toMatchObject([{ head: 'kept', version: 1 }])
    write('two', 'written')
    expect(writer.state.read('a', ['job/1'])).toMatchObject([{ head: 'written', version: 2 }])
    journal.close()
  })
})

/** Keeps a copy of the log as it was synced last, which the writer has to wait for until it is said to be done. */
class SlowDisk implements TableDisk {
  readonly #file: string
  #waiting: (() => void)[] = []

  constructor(file: string) {
    this.#file = file
  }

  sync(): void {
    copyFileSync(logOf(this.#file), `${this.#file}.synced-wal`)
  }

  syncSoon(_bytes: number, done: () => void): void {
    this.#waiting.push(done)
  }

  finish(): void {
    this.sync()
    for (const done of this.#waiting.splice(0)) done()
  }
}

class FillingJournal extends Journal {
  isFull = false

  override append(entry: JournalEntry): void {
    if (this.isFull) throw new Error('no space left')
    super.append(entry)
  }
}

function requestOf(
  one: { do: 'commit'; what: Omit<Change, 'id'> } | { do: 'claim'; what: Omit<Claim, 'id'> },
  id: string,
): WriteRequest {
  return one.do === 'commit'
    ? { op: 'commit', change: { ...one.what, id } }
    : { op: 'claim', claim: { ...one.what, id } }
}
