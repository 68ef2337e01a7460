// Rows as columns of text, narrowed to the screen: the widest columns give way first, and where that is not enough the
// last ones are left out. Widths are counted in characters on the screen; colours take none.

import { stripVTControlCharacters } from 'node:util'

const gap = '  '
const narrowest = 12

export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width: number = Number.POSITIVE_INFINITY,
): string {
  const all = [head.map((title) => title.toUpperCase()), ...rows.map((row) => row.map(oneLine))]
  const wanted = head.map((_, column) => Math.max(...all.map((row) => widthOf(row[column] ?? ''))))
  const widths = narrowed(wanted, width)
  return all.map((row) => lineOf(row.slice(0, widths.length), widths)).join('\n')
}

/** Names and what they are, one a line; further lines of a value stand below its first. */
export function facts(entries: readonly (readonly [string, string])[]): string {
  const width = Math.max(...entries.map(([name]) => widthOf(name)))
  const indent = `\n${' '.repeat(width)}${gap}`
  return entries
    .map(([name, value]) => `${pad(name, width)}${gap}${value.trimEnd().replaceAll('\n', indent)}`)
    .join('\n')
}

function narrowed(wanted: readonly number[], width: number): readonly number[] {
  const widths = [...wanted]
  let over = widths.reduce((sum, one) => sum + one, gap.length * (widths.length - 1)) - width
  while (over > 0) {
    const widest = Math.max(...widths)
    if (widest <= narrowest) return widths.length > 2 ? narrowed(wanted.slice(0, -1), width) : widths
    widths[widths.indexOf(widest)] = widest - 1
    over -= 1
  }
  return widths
}

function lineOf(row: readonly string[], widths: readonly number[]): string {
  return row
    .map((cell, column) => fitted(cell, widths[column] ?? 0))
    .join(gap)
    .trimEnd()
}

/** A cell that is too long loses its colours with its end. */
function fitted(text: string, width: number): string {
  if (widthOf(text) <= width) return pad(text, width)
  return `${[...stripVTControlCharacters(text)].slice(0, width - 1).join('')}…`
}

function oneLine(text: string): string {
  return text.replace(/\s*[\n\t]\s*/g, ' ')
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

function widthOf(text: string): number {
  return [...stripVTControlCharacters(text)].length
}
