import { describe, expect, it } from 'vitest'
import { RunnerOutput } from './runner-output.ts'

const bytes = (text: string): Buffer => Buffer.from(text)
const numbered = (count: number): string =>
  Array.from({ length: count }, (_, n) => `line ${n + 1}\n`).join('')

describe('the output of a runner', () => {
  it('[O7] is told line by line, each when it is whole', () => {
    const output = new RunnerOutput(0)
    output.add('out', bytes('one\r\ntw'))
    expect(output.take(0)).toEqual(['one'])
    output.add('err', bytes('other\n'))
    output.add('out', bytes('o\n'))
    expect(output.take(0)).toEqual(['other', 'two'])
  })

  it('[O7] what has no line break at the end is told at the end', () => {
    const output = new RunnerOutput(0)
    output.add('out', bytes('no break'))
    expect(output.take(0)).toEqual([])
    expect(output.takeLast(0)).toEqual(['no break'])
  })

  it('[O7] a letter that comes in two pieces is one letter', () => {
    const output = new RunnerOutput(0)
    const [first, second] = [bytes('π').subarray(0, 1), bytes('π\n').subarray(1)]
    output.add('out', first)
    output.add('out', second)
    expect(output.take(0)).toEqual(['π'])
  })

  it('[O8] of a flood so much is told as may be kept, then the end, and in between what is missing', () => {
    const output = new RunnerOutput(0)
    for (let part = 0; part < 10; part += 1) output.add('out', bytes(numbered(1_000)))
    const first = output.take(0)
    expect(first[0]).toMatch(/^… \d+ lines of output \(\d+ characters\) were left out …$/)
    expect(first).toHaveLength(1_001)
    output.add('out', bytes('the end\n'))
    const last = output.takeLast(0)
    expect(last.at(-1)).toBe('the end')
    expect(last.length).toBeLessThanOrEqual(51)
    const told = first.length + last.length - 2
    const missing = [first[0], last[0]].map((line) => Number(/\d+/.exec(line ?? '')?.[0]))
    expect(told + (missing[0] ?? 0) + (missing[1] ?? 0)).toBe(10_001)
  })

  it('[O8] a steady stream goes on at a bounded pace', () => {
    const output = new RunnerOutput(0)
    output.add('out', bytes(numbered(1_000)))
    expect(output.take(0)).toHaveLength(1_000)
    output.add('out', bytes(numbered(40)))
    expect(output.take(0)).toEqual([])
    expect(output.take(500)).toHaveLength(25)
    expect(output.take(1_000)).toHaveLength(15)
  })

  it('[O8] a line without end is cut, and takes no memory', () => {
    const output = new RunnerOutput(0)
    for (let part = 0; part < 100; part += 1) output.add('out', bytes('x'.repeat(10_000)))
    const [missing, line] = output.takeLast(0)
    expect(missing).toBe('… 0 lines of output (990000 characters) were left out …')
    expect(line).toHaveLength(10_000)
  })
})
