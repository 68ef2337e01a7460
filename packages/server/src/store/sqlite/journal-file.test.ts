import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type JournalEntry, JournalFile } from './journal-file.ts'

const salt = 7

describe('the journal of the embedded store', () => {
  let path: string
  beforeEach(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'millrace-journal-'))
    path = join(directory, 'store.sqlite.journal')
    return () => rm(directory, { recursive: true })
  })

  const entry = (number: number): JournalEntry => ({
    number,
    at: 1000 + number,
    packets: [
      { numbers: [number, Number.NaN, -1.5], text: `Grüße 𝒜 ${number}` },
      { numbers: Float64Array.from({ length: 100 }, (_, n) => n), text: '' },
    ],
  })

  function write(...numbers: number[]): JournalFile {
    const journal = new JournalFile(path, salt)
    for (const number of numbers) journal.append(entry(number))
    return journal
  }

  const numbersAfter = (settled: number, itsSalt = salt): number[] =>
    new JournalFile(path, itsSalt).entriesAfter(settled).map(({ number }) => number)

  it('[S60] entries come back as they were written, and more can be written behind them', () => {
    write(1, 2)
    const again = new JournalFile(path, salt)
    const [first] = again.entriesAfter(0)
    expect(first).toMatchObject({ number: 1, at: 1001 })
    expect(first?.packets.map(({ numbers, text }) => [Array.from(numbers), text])).toEqual(
      entry(1).packets.map(({ numbers, text }) => [Array.from(numbers), text]),
    )
    again.append(entry(3))
    expect(numbersAfter(0)).toEqual([1, 2, 3])
  })

  it('[S60] an entry that is not whole is not read, wherever it was cut or changed, and none behind it is', () => {
    write(1)
    const one = readFileSync(path).length
    write(1, 2)
    const whole = readFileSync(path)
    for (let at = one; at < whole.length; at++) {
      writeFileSync(path, whole.subarray(0, at))
      expect(numbersAfter(0), `cut at ${at}`).toEqual([1])
      const changed = Buffer.from(whole)
      changed.writeUInt8(changed.readUInt8(at) ^ 0x10, at)
      writeFileSync(path, changed)
      expect(numbersAfter(0), `changed at ${at}`).toEqual([1])
    }
  })

  it('[S60] what the tables have already, and what is left of an earlier turn, is not read again', () => {
    const journal = write(1, 2, 3)
    expect(numbersAfter(3)).toEqual([])
    journal.forget(3)
    journal.append(entry(4))
    expect(numbersAfter(3)).toEqual([4])
  })

  it('[S60] the journal of another store is not read', () => {
    write(1, 2)
    expect(numbersAfter(0, salt + 1)).toEqual([])
  })

  it('[S60] a journal that holds nothing more is removed when it is closed, and another stays', () => {
    write(1).close()
    expect(existsSync(path)).toBe(true)
    const journal = write(1)
    journal.forget(1)
    journal.close()
    expect(existsSync(path)).toBe(false)
  })
})
