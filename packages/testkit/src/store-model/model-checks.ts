// Which names, scores and texts the port refuses, said a second time and in other words than the stores say it, so
// that a slip in one of the two shows.

import type { Change, Claim, ListQuery, Put } from '@millrace/server'

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const printable = /^[^\u0000-\u001f]{1,512}$/
// With the flag u this finds halves only: a whole pair is one letter.
const halfLetter = /\p{Cs}/u

export function checkChange(change: Change): void {
  const puts = change.put ?? []
  requireNames([change.id, change.partition, ...puts.flatMap(namesOf), ...Object.keys(change.add ?? {})])
  if (new Set(puts.map(({ key }) => key)).size < puts.length) throw new TypeError('a key is put twice')
  if (puts.some((put) => listsOf(put).size > 4)) throw new TypeError('a record in more than four lists')
  requireNames((change.announce ?? []).map(({ subject }) => subject))
  requireInstants(puts.flatMap(({ queue, dueAt }) => [queue?.score ?? 0, dueAt ?? 0]))
  requireIntegers(Object.values(change.add ?? {}))
  requireLines(puts.flatMap(({ head, attempt }) => [head, attempt ?? '']))
  requireEvents((change.announce ?? []).map(({ event }) => event))
  requireLetters(puts.map(({ body }) => body ?? ''))
}

export function checkClaim(claim: Claim): void {
  requireNames([claim.id, claim.partition, claim.queue, claim.move.from, claim.move.to])
  requireNames([...Object.keys(claim.add ?? {}), ...(claim.limits ?? []).map(({ counter }) => counter)])
  requireInstants(claim.attempts.map(({ dueAt }) => dueAt))
  requireIntegers([...Object.values(claim.add ?? {}), ...(claim.limits ?? []).map(({ max }) => max)])
  requireLines(claim.attempts.map(({ attempt }) => attempt))
  requireEvents(claim.attempts.map(({ event }) => event))
}

export function checkQuery({ limit }: ListQuery): void {
  requireIntegers([limit])
  if (limit <= 0) throw new TypeError(`a page of ${limit}`)
}

function namesOf({ key, lists = [], wideLists = [], queue }: Put): string[] {
  return [key, ...lists, ...wideLists, ...(queue ? [queue.name] : [])]
}

function listsOf({ lists = [], wideLists = [] }: Put): Set<string> {
  return new Set([...lists, ...wideLists])
}

function requireNames(names: readonly string[]): void {
  for (const name of names) if (!printable.test(name)) throw new TypeError(`name ${JSON.stringify(name)}`)
  requireLetters(names)
}

function requireInstants(values: readonly number[]): void {
  requireIntegers(values)
  for (const value of values) if (Math.abs(value) >= 2 ** 51) throw new TypeError(`instant or score ${value}`)
}

function requireIntegers(values: readonly number[]): void {
  for (const value of values)
    if (!Number.isSafeInteger(value)) throw new TypeError(`${value} is not an integer`)
}

function requireEvents(events: readonly string[]): void {
  if (events.includes('')) throw new TypeError('an event that says nothing')
  requireLines(events)
}

function requireLines(texts: readonly string[]): void {
  for (const text of texts) if (text.includes('\n')) throw new TypeError('more than one line')
  requireLetters(texts)
}

function requireLetters(texts: readonly string[]): void {
  for (const text of texts) if (halfLetter.test(text)) throw new TypeError('half a letter')
}
