import { describe, expect, it } from 'vitest'
import { Attempt } from './attempt.ts'
import { sampleAssigned } from './sample-assigned.ts'
import { WaitingLine } from './waiting-line.ts'

const extension = { category: 'modifiers', name: 'Relax', schema: {}, run: () => undefined }
const attempt = (id: string, room: string, slots = 1): Attempt =>
  new Attempt(sampleAssigned(id, { room }), extension, slots, 0)

function order(line: WaitingLine): string[] {
  const ids: string[] = []
  for (let next = line.next(1); next; next = line.next(1)) ids.push(next.ref.job)
  return ids
}

describe('the line before the slots', () => {
  it('[K61] rooms take turns in it, each in its own order', () => {
    const line = new WaitingLine()
    for (const [id, room] of ['a1 a', 'a2 a', 'a3 a', 'b1 b', 'c1 c', 'b2 b'].map((one) => one.split(' ')))
      line.add(attempt(id ?? '', room ?? ''))
    expect(line.size).toBe(6)
    expect(order(line)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
    expect(line.size).toBe(0)
  })

  it('[K61] who leaves it is not called', () => {
    const line = new WaitingLine()
    const [a, b] = [attempt('a', 'lab'), attempt('b', 'lab')]
    line.add(a)
    line.add(b)
    expect([line.remove(a), line.remove(a), line.size]).toEqual([true, false, 1])
    expect(order(line)).toEqual(['b'])
  })

  it('[K61] one that takes more slots than are free keeps its turn', () => {
    const line = new WaitingLine()
    line.add(attempt('big', 'a', 2))
    line.add(attempt('small', 'b'))
    expect(line.next(1)).toBeNull()
    expect(line.next(2)?.ref.job).toBe('big')
  })
})
