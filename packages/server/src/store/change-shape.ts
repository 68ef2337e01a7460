// The shape both stores rely on: names without control characters (both use them as separators), texts that UTF-8 can
// hold, integer scores, and one order of encoded scores. A breach is a mistake in our own code, so it is thrown, before
// anything is written.

// For String.isWellFormed, which every supported Node has.
/// <reference lib="es2024.string" />

import type { Change, Claim, ListQuery, Put } from '../ports/store.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is refused
const separators = /[\u0000-\u001f]/

// Scores are instants in ms, possibly negative under a virtual clock; shifted so that all encode as positive.
const scoreShift = 2 ** 51

// The embedded store keeps a column and an index for each.
const listsAtMost = 4

function checkName(name: string): void {
  if (name.length === 0 || name.length > 512 || separators.test(name) || !name.isWellFormed()) {
    throw new TypeError(`not a usable name: ${JSON.stringify(name.slice(0, 80))}`)
  }
}

/** Fixed-width text whose order is the order of the scores. */
export function encodeScore(score: number): string {
  checkScore(score)
  return (score + scoreShift).toString(16).padStart(14, '0')
}

export function decodeScore(text: string): number {
  return Number.parseInt(text, 16) - scoreShift
}

export function checkChange(change: Change): void {
  checkName(change.id)
  checkName(change.partition)
  const puts = change.put ?? []
  checkKeys(puts)
  let before: Put | null = null
  for (const put of puts) {
    // Neighbours often share their arrays and names, and what they share was looked at.
    if (put.lists !== before?.lists || put.wideLists !== before?.wideLists) checkLists(put)
    if (put.queue) {
      if (put.queue.name !== before?.queue?.name) checkName(put.queue.name)
      checkScore(put.queue.score)
    }
    if (put.head !== before?.head) checkText(put.head)
    before = put
    if (put.attempt !== undefined) checkText(put.attempt)
    if (put.body !== undefined) checkLetters(put.body)
    if (put.dueAt !== undefined) checkScore(put.dueAt)
  }
  for (const key of Object.keys(change.expect ?? {})) checkName(key)
  for (const key of change.remove ?? []) checkName(key)
  checkCounters(change.add)
  let lastEvent: string | null = null
  for (const [at, { subject, event }] of (change.announce ?? []).entries()) {
    if (subject !== puts[at]?.key) checkName(subject)
    if (event !== lastEvent) checkEvent(event)
    lastEvent = event
  }
}

/** Ids sort by time, so the keys of a batch mostly ascend: then none of them comes twice. */
function checkKeys(puts: readonly Put[]): void {
  let ascend = true
  let before = ''
  for (const { key } of puts) {
    checkName(key)
    ascend &&= key > before
    before = key
  }
  if (ascend) return
  const seen = new Set<string>()
  for (const { key } of puts) {
    if (seen.has(key)) throw new TypeError(`${key} is put twice in one change`)
    seen.add(key)
  }
}

function checkLists({ lists = [], wideLists = [] }: Put): void {
  for (const list of lists) checkName(list)
  for (const list of wideLists) checkName(list)
  if (lists.length + wideLists.length <= listsAtMost) return
  if (new Set([...lists, ...wideLists]).size > listsAtMost) {
    throw new TypeError(`a record stands in at most ${listsAtMost} lists`)
  }
}

export function checkClaim(claim: Claim): void {
  checkName(claim.id)
  checkName(claim.partition)
  checkName(claim.queue)
  checkName(claim.move.from)
  checkName(claim.move.to)
  for (const { counter, max } of claim.limits ?? []) {
    checkName(counter)
    if (!Number.isSafeInteger(max)) throw new TypeError(`limit ${counter}: ${max} is not an integer`)
  }
  checkCounters(claim.add)
  let lastEvent: string | null = null
  for (const { attempt, event, dueAt } of claim.attempts) {
    checkText(attempt)
    if (event !== lastEvent) checkEvent(event)
    lastEvent = event
    checkScore(dueAt)
  }
}

export function checkQuery({ limit }: ListQuery): void {
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new TypeError(`${limit} is not a usable limit of a page`)
}

function checkCounters(add: Readonly<Record<string, number>> = {}): void {
  for (const [name, delta] of Object.entries(add)) {
    checkName(name)
    if (!Number.isSafeInteger(delta)) throw new TypeError(`counter ${name}: ${delta} is not an integer`)
  }
}

function checkScore(score: number): void {
  if (!Number.isSafeInteger(score) || Math.abs(score) >= scoreShift) {
    throw new TypeError(`${score} is not a usable score or instant`)
  }
}

// An empty line of the log stands for the event before it.
function checkEvent(event: string): void {
  if (event === '') throw new TypeError('an event must not be empty')
  checkText(event)
}

// A head, an attempt or an event is JSON on one line; a raw line break would split the row it is kept in.
function checkText(text: string): void {
  if (text.includes('\n')) throw new TypeError('a head, an attempt and an event must be one line each')
  checkLetters(text)
}

// Half of a surrogate pair has no UTF-8 and would come back as another letter.
function checkLetters(text: string): void {
  if (!text.isWellFormed()) throw new TypeError('a text must not hold half of a surrogate pair')
}
