// Rows as columns of text. Widths are counted in characters on the screen; colours take none.

import { stripVTControlCharacters } from 'node:util'

const gap = '  '

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head.map((title) => title.toUpperCase()), ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => widthOf(row[column] ?? ''))))
  return all.map((row) => lineOf(row, widths)).join('\n')
}

/** Names and what they are, one a line. */
export function facts(entries: readonly (readonly [string, string])[]): string {
  const width = Math.max(...entries.map(([name]) => widthOf(name)))
  return entries.map(([name, value]) => `${pad(name, width)}${gap}${value}`).join('\n')
}

function lineOf(row: readonly string[], widths: readonly number[]): string {
  return row
    .map((cell, column) => pad(cell, widths[column] ?? 0))
    .join(gap)
    .trimEnd()
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

function widthOf(text: string): number {
  return [...stripVTControlCharacters(text)].length
}
