import { expect, it } from 'vitest'
import { Turns } from './turns.ts'

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('[M164] one task is done in a turn; lanes alternate, and each keeps its order', async () => {
  const turns = new Turns<string>()
  const done: string[] = []
  for (const task of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2'])
    turns.take(task.slice(0, 1), () => done.push(task))
  const seen = [done.length]
  while (done.length < 7) {
    await nextTurn()
    seen.push(done.length)
  }
  expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'c2', 'a4'])
  expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7])
})

it('[M164] a turn that nobody has taken is taken at once, also after others had to wait', async () => {
  const turns = new Turns()
  const done: number[] = []
  for (const n of [1, 2]) turns.take(undefined, () => done.push(n))
  await nextTurn()
  await nextTurn()
  turns.take(undefined, () => done.push(3))
  expect(done).toEqual([1, 2, 3])
})
