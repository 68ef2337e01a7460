// What jobs say while they run: of the progress the latest, of the log all lines, gathered until somebody takes them.
// A job may say much more than anybody wants to hear; what is kept of it is bounded.

import type { AttemptRef } from '@millrace/protocol'
import { cutText } from './cut-text.ts'
import { logReport, progressReport, type Report } from './report.ts'

/** As many as the server keeps of a job and as one report may hold. */
const maxLines = 1_000
const maxLineLength = 10_000
/** Of all lines of a job together, so that they fit into one message. */
const maxLogBytes = 500_000

interface Said {
  readonly ref: AttemptRef
  progress: { readonly fraction: number; readonly message: string | undefined } | null
  lines: string[]
  bytes: number
}

export class Chatter {
  readonly #said = new Map<string, Said>()

  get isEmpty(): boolean {
    return this.#said.size === 0
  }

  progress(ref: AttemptRef, fraction: number, message?: string): void {
    this.#of(ref).progress = { fraction, message }
  }

  /** True when the lines should be taken soon, because the next ones would push the first ones out. */
  log(ref: AttemptRef, text: string): boolean {
    const said = this.#of(ref)
    for (const line of text.split('\n')) {
      const cut = cutText(line, maxLineLength)
      said.lines.push(cut)
      said.bytes += cut.length
    }
    this.#makeRoom(said)
    return said.lines.length >= maxLines / 2 || said.bytes >= maxLogBytes / 2
  }

  take(): readonly Report[] {
    const reports = [...this.#said.values()].flatMap((said) => [...logOf(said), ...progressOf(said)])
    this.#said.clear()
    return reports
  }

  /** The job has ended: its lines go before its outcome, and how far it was no longer matters. */
  takeLastOf(token: string): readonly Report[] {
    if (this.#said.size === 0) return []
    const said = this.#said.get(token)
    this.#said.delete(token)
    return said ? logOf(said) : []
  }

  drop(tokens: ReadonlySet<string>): void {
    for (const token of tokens) this.#said.delete(token)
  }

  #of(ref: AttemptRef): Said {
    let said = this.#said.get(ref.token)
    if (!said) {
      said = { ref, progress: null, lines: [], bytes: 0 }
      this.#said.set(ref.token, said)
    }
    return said
  }

  #makeRoom(said: Said): void {
    if (said.lines.length <= maxLines && said.bytes <= maxLogBytes) return
    let first = Math.max(0, said.lines.length - maxLines)
    for (let index = 0; index < first; index += 1) said.bytes -= said.lines[index]?.length ?? 0
    while (said.bytes > maxLogBytes) {
      said.bytes -= said.lines[first]?.length ?? 0
      first += 1
    }
    said.lines = said.lines.slice(first)
  }
}

function logOf({ ref, lines, bytes }: Said): readonly Report[] {
  return lines.length === 0 ? [] : [logReport(ref, lines, bytes)]
}

function progressOf({ ref, progress }: Said): readonly Report[] {
  return progress === null ? [] : [progressReport(ref, progress.fraction, progress.message)]
}
