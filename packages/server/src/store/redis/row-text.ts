// What the scripts keep of a record, as readers meet it: a line of places, a line for the attempt, the head. A place that
// was entered in a group ends with a mark and the group's id. Entries of groups may be out of date; a row never is.

import { decodeAttempt } from './write-args.ts'

const mark = '\u001f'

// The scripts' own numbers: the keys of a group begin alike by so many letters, all of them plain.
const alike = 16
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range begins at the first character there is
const plainLetters = /^[\u0000-\u007f]*$/

export interface Row {
  readonly version: number
  readonly head: string
  readonly attempt: string | null
}

export function parseRow(row: string): Row {
  const [places = '', attempt = '', head = ''] = row.split('\n')
  return { version: Number.parseInt(places, 10), head, attempt: decodeAttempt(attempt) }
}

/** The lists it stands in, with the sign of their kind: `-name` is a list, `*name` a wide one. */
export function listsOfRow(row: string): readonly string[] {
  return placesOf(row).slice(4).map(unmarked)
}

/** Whether it is due by this very group: one that left it may have the same instant again, and is then told of elsewhere. */
export function isDueBy(row: string, group: string): boolean {
  return placesOf(row)[1]?.endsWith(`${mark}${group}`) ?? false
}

/** Where the entry of its group would stand in a list: before every key that begins so. */
export function beginningOf(key: string): string {
  const beginning = key.slice(0, alike)
  return plainLetters.test(beginning) ? beginning : key
}

/** An id of a group ends with how many records entered it. */
export function sizeOfGroup(group: string): number {
  return Number(group.slice(group.lastIndexOf('.') + 1))
}

function placesOf(row: string): readonly string[] {
  return row.slice(0, row.indexOf('\n')).split('\t')
}

function unmarked(place: string): string {
  const at = place.indexOf(mark)
  return at === -1 ? place : place.slice(0, at)
}
