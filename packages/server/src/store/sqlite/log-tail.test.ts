import { beforeEach, describe, expect, it } from 'vitest'
import { LogTail } from './log-tail.ts'

let tail: LogTail

function append(position: number, events = 1): void {
  const announced = Array.from({ length: events }, (_, n) => ({
    subject: `job/${position}-${n}`,
    event: '{}',
  }))
  tail.append({ position, partition: 'room', at: 1, revision: position, sequence: position, announced })
}

function after(position: number, limit = 100): readonly number[] | null {
  return tail.after(position, limit)?.map((row) => row.position) ?? null
}

beforeEach(() => {
  tail = new LogTail()
})

describe('the end of the log that is kept at hand', () => {
  it('[S65] tells what stands behind a position, and nothing to whoever has it all', () => {
    for (const position of [7, 8, 9]) append(position)
    expect(after(6)).toEqual([7, 8, 9])
    expect(after(7, 1)).toEqual([8])
    expect(after(9)).toEqual([])
  })

  it('[S65] says that it does not know what is further back, or was logged while nobody followed', () => {
    expect(after(0)).toBeNull()
    for (const position of [7, 8]) append(position)
    expect(after(5)).toBeNull()
    tail.clear()
    expect(after(8)).toBeNull()
    append(12)
    expect(after(8)).toBeNull()
    expect(after(11)).toEqual([12])
  })

  it('[S65] never passes over a row, should answers come in another order than the log', () => {
    append(7)
    append(9)
    append(8)
    for (const position of [6, 7, 8]) expect(after(position)).toBeNull()
    append(10)
    expect(after(8)).toBeNull()
    expect(after(9)).toEqual([10])
  })

  it('[S65] keeps a bounded number of events, and the last row whatever it holds', () => {
    for (let position = 1; position <= 30; position++) append(position, 100)
    expect(after(9)).toBeNull()
    expect(after(10)).toHaveLength(20)
    append(31, 5_000)
    expect(after(30)).toEqual([31])
    expect(after(29)).toBeNull()
  })
})
