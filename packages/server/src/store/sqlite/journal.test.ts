import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Journal } from './journal.ts'
import { JournalFile } from './journal-file.ts'

const salt = 7

describe('the two files of the journal', () => {
  let path: string
  let journal: Journal
  beforeEach(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'millrace-journal-'))
    path = join(directory, 'store.sqlite.journal')
    journal = new Journal(path, salt)
    return () => rm(directory, { recursive: true })
  })

  function append(...numbers: number[]): void {
    for (const number of numbers) journal.append({ number, at: 0, packets: [] })
  }

  const numbersAfter = (settled: number, itsJournal = new Journal(path, salt)): number[] =>
    itsJournal.entriesAfter(settled).map(({ number }) => number)

  it.each([
    ['the first', [1, 2], [3, 4]],
    ['the second', [3, 4], [5]],
  ])('[S60] entries are read from both files where they begin in %s', (_which, first, second) => {
    if (first[0] === 3) {
      append(1, 2)
      journal.turn()
      journal.forget(2)
    }
    append(...first)
    journal.turn()
    append(...second)
    const settled = (first[0] ?? 0) - 1
    expect(numbersAfter(settled)).toEqual([...first, ...second])
    expect(numbersAfter(first.at(-1) ?? 0)).toEqual(second)
    expect(numbersAfter(second.at(-1) ?? 0)).toEqual([])
  })

  it('[S60] nothing is read behind a gap: what is in the second file was answered after what is in the first', () => {
    append(1, 2)
    journal.turn()
    append(3)
    new JournalFile(path, salt).append({ number: 1, at: 1, packets: [{ numbers: [1], text: 'longer' }] })
    expect(numbersAfter(0)).toEqual([1])
  })

  it('[S60] with entries in both files further ones go behind the last, until one of them is forgotten', () => {
    append(1)
    journal.turn()
    append(2)
    const again = new Journal(path, salt)
    expect(numbersAfter(0, again)).toEqual([1, 2])
    again.turn()
    again.append({ number: 3, at: 0, packets: [] })
    expect(numbersAfter(0)).toEqual([1, 2, 3])
    again.forget(2)
    expect(numbersAfter(2)).toEqual([3])
    again.turn()
    again.append({ number: 4, at: 0, packets: [] })
    expect(numbersAfter(2)).toEqual([3, 4])
    again.forget(4)
    again.close()
    expect([existsSync(path), existsSync(`${path}2`)]).toEqual([false, false])
  })

  it('[S60] what was appended before and after a turn is synced together', async () => {
    append(1)
    journal.turn()
    append(2)
    expect(journal.isSynced).toBe(false)
    await new Promise<void>((done) => journal.sync(done))
    expect(journal.isSynced).toBe(true)
  })

  it('[S60] a disk that was slow is waited for beside the work for a while, and then asked again', async () => {
    const clock = vi.spyOn(performance, 'now')
    const isSyncedAtOnce = async (): Promise<boolean> => {
      append(1)
      let isSynced = false
      const synced = new Promise<void>((resolve) => {
        journal.sync(() => {
          isSynced = true
          resolve()
        })
      })
      const atOnce = isSynced
      await synced
      return atOnce
    }
    expect(await isSyncedAtOnce()).toBe(true)
    clock.mockReturnValueOnce(0).mockReturnValueOnce(20)
    expect(await isSyncedAtOnce()).toBe(true)
    for (let left = 16; left > 0; left--) expect(await isSyncedAtOnce()).toBe(false)
    expect(await isSyncedAtOnce()).toBe(true)
    clock.mockRestore()
  })
})
