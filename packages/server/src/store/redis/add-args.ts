// Small changes that only add records, or rewrite such as stand in no list, as the flat arguments of the script for them.
// Every text that the script writes is made here, so that it has nothing to work out.

import type { Change, Put } from '../../ports/store.ts'
import { writeLogText } from '../log-text.ts'
import { type Argument, answersKeptS, encodeAttempt, listNames, logKeptMs } from './write-args.ts'

/** Four records that enter lists together would be a group there, see entries.lua. */
const putsAtMost = 3
/** Of expectations and of counters: the script unpacks them at once, and Lua's stack is limited. */
const namesAtMost = 1_000

/** Whether what the script is told can be known beforehand; the script looks at what it rewrites. */
export function isAddition({ expect = {}, put = [], remove = [], add = {} }: Change): boolean {
  if (put.length > putsAtMost || remove.length > 0) return false
  return isFew(expect) && isFew(add) && put.every(isAdded)
}

function isFew(names: object): boolean {
  return Object.keys(names).length <= namesAtMost
}

function isAdded({ expect, queue, lists = [], wideLists = [] }: Put): boolean {
  return !queue && (expect === 0 || lists.length + wideLists.length === 0)
}

export function addArgs({
  partition,
  id,
  expect = {},
  put = [],
  add = {},
  announce = [],
}: Change): Argument[] {
  const [keys, versions] = [Object.keys(expect), Object.values<Argument>(expect)]
  const rows: string[] = []
  const bodies: string[] = []
  const entries: Argument[] = []
  const due: Argument[] = []
  for (const { key, expect: version = '', dueAt, body, ...rest } of put) {
    const names = listNames({ key, ...rest })
    keys.push(key)
    versions.push(version)
    rows.push(`\t${dueAt ?? ''}\t\t\t${names.join('\t')}\n${encodeAttempt(rest.attempt)}\n${rest.head}`)
    if (body !== undefined) bodies.push(key, body)
    for (const name of names) entries.push(0, `${name}\t${key}`)
    if (dueAt !== undefined) due.push(dueAt, `${partition}\t${key}`)
  }
  return [
    partition,
    id,
    logKeptMs,
    answersKeptS,
    announce.length,
    announce.map(({ subject }) => subject).join('\t'),
    writeLogText(announce.map(({ event }) => event)),
    keys.length,
    ...keys,
    ...versions,
    rows.length,
    ...rows,
    bodies.length / 2,
    ...bodies,
    entries.length / 2,
    ...entries,
    due.length / 2,
    ...due,
    Object.keys(add).length,
    ...Object.keys(add).map((name) => `c${name}`),
    ...Object.values(add),
  ]
}
