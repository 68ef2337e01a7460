// What changes and claims were answered, by their ids, for callers that lost the answer and send them again.

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { compareNames } from '../merge-pages.ts'
import { inSteps, type Settling } from './settling.ts'

interface Answer {
  readonly at: number
  readonly answer: string
}

export class Answers implements Settling {
  #unsettled = new Map<string, Answer>()
  #setAside = new Map<string, Answer>()
  readonly #find: StatementSync
  readonly #save: StatementSync
  #highest: string

  constructor(db: DatabaseSync) {
    this.#find = db.prepare('SELECT answer FROM answered WHERE id = ?')
    this.#save = db.prepare('INSERT INTO answered (id, at, answer) VALUES (?, ?, ?)')
    this.#highest = String(db.prepare('SELECT max(id) AS id FROM answered').get()?.['id'] ?? '')
  }

  find(id: string): string | null {
    // Ids sort by time, so nearly every one is past all that were answered, and need not be looked for.
    if (compareNames(id, this.#highest) > 0) return null
    const unsettled = this.#unsettled.get(id) ?? this.#setAside.get(id)
    if (unsettled) return unsettled.answer
    const row = this.#find.get(id)
    return row ? String(row['answer']) : null
  }

  remember(id: string, at: number, answer: string): void {
    this.#unsettled.set(id, { at, answer })
    if (compareNames(id, this.#highest) > 0) this.#highest = id
  }

  setAside(): void {
    this.#setAside = this.#unsettled
    this.#unsettled = new Map()
  }

  save(): Iterable<unknown> {
    return inSteps(this.#setAside, ([id, { at, answer }]) => this.#save.run(id, at, answer))
  }

  saved(): void {
    this.#setAside = new Map()
  }
}
