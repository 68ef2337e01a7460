import { describe, expect, it } from 'vitest'
import { facts, table } from './table.ts'

const rows = [
  ['3fa9c01b', 'modifiers/Relax', 'it failed because of a rather long reason'],
  ['908760e2', 'analysis/Rdf', ''],
]
const head = ['job', 'extension', 'remark']

const widest = (text: string): number => Math.max(...text.split('\n').map((line) => line.length))

describe('a table', () => {
  it('[N8] in a pipe nothing is cut', () => {
    expect(table(head, rows)).toBe(
      [
        'JOB       EXTENSION        REMARK',
        '3fa9c01b  modifiers/Relax  it failed because of a rather long reason',
        '908760e2  analysis/Rdf',
      ].join('\n'),
    )
  })

  it.each([60, 50, 42, 30, 22])('[N8] on a screen of %i columns no line is longer', (width) => {
    expect(widest(table(head, rows, width))).toBeLessThanOrEqual(width)
  })

  it('[N8] the widest column gives way first, and what is narrow stays whole', () => {
    expect(table(head, rows, 50)).toContain('3fa9c01b  modifiers/Relax  it failed because of a…')
  })

  it('[N8] where that is not enough the last columns are left out', () => {
    expect(table(head, rows, 30)).toBe(
      'JOB       EXTENSION\n3fa9c01b  modifiers/Relax\n908760e2  analysis/Rdf',
    )
  })

  it('[N8] colours take no room, and a cell is one line', () => {
    const coloured = table(['a', 'b'], [['\u001b[31mx\u001b[39m', 'two\n  lines']])
    expect(coloured).toBe('A  B\n\u001b[31mx\u001b[39m  two lines')
  })

  it('[N8] further lines of a fact stand below its first', () => {
    expect(
      facts([
        ['data', '{\n}'],
        ['x', 'y'],
      ]),
    ).toBe('data  {\n      }\nx     y')
  })
})
