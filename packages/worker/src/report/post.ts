// Carries reports to the server: gathers those of one turn of the event loop into messages, keeps several messages under
// way without waiting for answers, and reads the answers. When there is no line, reports wait.

import type { AttemptRef, Problem, ReportAnswer } from '@millrace/protocol'
import { Chatter } from './chatter.ts'
import { type Message, Outbox } from './outbox.ts'
import type { Report, ReportEvent } from './report.ts'
import { isLast } from './report.ts'
import { isPassing, type Verdict, verdictOn } from './verdict.ts'

export type MessageAnswer =
  | { readonly ok: true; readonly answers: readonly ReportAnswer[] }
  | { readonly ok: false; readonly problem: Problem }

/** A way to the server. The answer is null when none will come. */
export type Line = (
  event: ReportEvent,
  entries: readonly Report['entry'][],
  answered: (answer: MessageAnswer | null) => void,
) => void

export interface Readers {
  /** The last word about an attempt was acknowledged. */
  heard(token: string): void
  /** The attempt is no longer this worker's. */
  gone(token: string, problem: Problem): void
  /** The result of a job was not acceptable. */
  unacceptable(report: Report, problem: Problem): void
  /** Something was refused that does not matter to the job. */
  ignored(report: Report, problem: Problem): void
  /** A whole message was refused, because the server does not know this worker or its credential any more. */
  unknown(problem: Problem): void
}

/** Ten times a second is as live as a person can see. */
const chatterMs = 100
/** How long to leave a server alone that says that it cannot just now. */
const againMs = 1_000

export class Post {
  readonly #outbox = new Outbox()
  readonly #chatter = new Chatter()
  readonly #readers: Readers
  #line: Line | null = null
  #flushes = false
  #chatterTimer: NodeJS.Timeout | null = null
  #againTimer: NodeJS.Timeout | null = null
  #emptied: (() => void)[] = []

  constructor(readers: Readers) {
    this.#readers = readers
  }

  report(report: Report): void {
    if (isLast(report)) {
      for (const line of this.#chatter.takeLastOf(report.entry.token)) this.#outbox.add(line)
    }
    this.#outbox.add(report)
    this.#flushSoon()
  }

  progress(ref: AttemptRef, fraction: number, message?: string): void {
    this.#chatter.progress(ref, fraction, message)
    this.#chatSoon()
  }

  log(ref: AttemptRef, text: string): void {
    if (this.#chatter.log(ref, text)) this.#chat()
    else this.#chatSoon()
  }

  saidStarted(token: string): boolean {
    return this.#outbox.saidStarted(token)
  }

  drop(tokens: ReadonlySet<string>): void {
    this.#outbox.drop(tokens)
    this.#chatter.drop(tokens)
  }

  open(line: Line): void {
    this.#line = line
    this.#flushSoon()
  }

  /** The line broke: what was under way waits for the next one. */
  close(): void {
    this.#line = null
    this.#outbox.putBack()
    if (this.#againTimer) clearTimeout(this.#againTimer)
    this.#againTimer = null
  }

  /** Resolves when the server has acknowledged everything. */
  emptied(): Promise<void> {
    if (this.#outbox.isEmpty) return Promise.resolve()
    return new Promise((resolve) => this.#emptied.push(resolve))
  }

  #flushSoon(): void {
    if (this.#flushes || this.#line === null || this.#againTimer !== null) return
    this.#flushes = true
    setImmediate(this.#flush)
  }

  readonly #flush = (): void => {
    this.#flushes = false
    const line = this.#line
    if (line === null || this.#againTimer !== null) return
    for (const message of this.#outbox.take()) this.#send(line, message)
  }

  #send(line: Line, message: Message): void {
    const entries = message.reports.map(({ entry }) => entry)
    line(message.event, entries, (answer) => {
      // An answer that comes over a line which broke meanwhile is about reports that wait again by now.
      if (line === this.#line) this.#answered(message, answer)
    })
  }

  #answered(message: Message, answer: MessageAnswer | null): void {
    if (answer === null) {
      this.#outbox.putBack([message])
      this.#tryLater()
    } else if (answer.ok) {
      this.#readAll(message, answer.answers)
    } else {
      this.#refused(message, answer.problem)
    }
    if (this.#outbox.isEmpty) for (const resolve of this.#emptied.splice(0)) resolve()
    else if (this.#outbox.hasWaiting) this.#flushSoon()
  }

  #readAll(message: Message, answers: readonly ReportAnswer[]): void {
    this.#outbox.settle(message)
    let index = 0
    for (const report of message.reports) {
      const answer = answers[index]
      index += 1
      if (this.#outbox.isDropped(report)) continue
      if (answer) this.#read(report, answer)
      else this.#again(report)
    }
  }

  #refused(message: Message, problem: Problem): void {
    if (isPassing(problem) || isStranger(problem)) {
      this.#outbox.putBack([message])
      if (isPassing(problem)) this.#tryLater()
      else this.#readers.unknown(problem)
      return
    }
    this.#outbox.settle(message)
    const reports = message.reports.filter((report) => !this.#outbox.isDropped(report))
    const [only] = reports
    if (only && reports.length === 1) this.#read(only, { problem })
    else this.#sendInHalves(message.event, reports)
  }

  /** One report that the server does not understand must not keep the others from being heard. */
  #sendInHalves(event: ReportEvent, reports: readonly Report[]): void {
    const line = this.#line
    if (line === null || reports.length === 0) return
    const middle = Math.ceil(reports.length / 2)
    for (const half of [reports.slice(0, middle), reports.slice(middle)]) {
      this.#send(line, this.#outbox.send(event, half))
    }
  }

  #read(report: Report, answer: ReportAnswer): void {
    const verdict: Verdict = verdictOn(report, answer)
    const problem = 'problem' in answer ? answer.problem : null
    if (verdict === 'again') this.#again(report)
    else if (problem === null) {
      if (isLast(report)) this.#readers.heard(report.entry.token)
    } else if (verdict === 'gone') this.#readers.gone(report.entry.token, problem)
    else if (verdict === 'unacceptable') this.#readers.unacceptable(report, problem)
    else this.#readers.ignored(report, problem)
  }

  #again(report: Report): void {
    this.#outbox.add(report)
    this.#tryLater()
  }

  #tryLater(): void {
    if (this.#againTimer !== null) return
    this.#againTimer = setTimeout(() => {
      this.#againTimer = null
      this.#flushSoon()
    }, againMs).unref()
  }

  #chatSoon(): void {
    this.#chatterTimer ??= setTimeout(() => this.#chat(), chatterMs).unref()
  }

  #chat(): void {
    if (this.#chatterTimer) clearTimeout(this.#chatterTimer)
    this.#chatterTimer = null
    for (const report of this.#chatter.take()) this.#outbox.add(report)
    this.#flushSoon()
  }
}

/** A token that ran out on a standing connection, a worker that was declared lost. */
function isStranger({ code, status }: Problem): boolean {
  return status === 401 || status === 403 || code === 'worker_lost'
}
