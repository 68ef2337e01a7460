// What the server has still to hear. A report stays until it is acknowledged; what was under way when the connection
// broke waits again. Nothing is said that a later report of the same attempt says as well.
//
//   add → waiting ──take──→ under way ──acknowledged──→ gone
//            ▲                  │
//            └── not answered ──┘

import type { Report, ReportEvent, ReportOf } from './report.ts'
import { isLast } from './report.ts'

/** The protocol allows no more in one message. */
const maxReports = 1_000
/** A server closes a connection whose message is much larger, and everything in it would have to be sent again. */
const maxBytes = 1_000_000
const maxLogLines = 1_000

/** Reports of one event that travel together and are answered together, in this order. */
export interface Message {
  readonly event: ReportEvent
  readonly reports: readonly Report[]
}

type Lane = Map<string, Report>
type Lanes = { readonly [Event in ReportEvent]: Lane }

/** For one attempt this is the order in which things happen, so a message never overtakes what led to it. */
const order: readonly ReportEvent[] = [
  'job:started',
  'job:log',
  'job:progress',
  'job:stopped',
  'job:rejected',
  'job:completed',
  'job:failed',
]

export class Outbox {
  #waiting: Lanes = emptyLanes()
  readonly #underWay = new Set<Message>()
  /** Tokens whose start has not been acknowledged: their outcome has to say it as well. */
  readonly #unheardStarts = new Set<string>()
  /**
   * Tokens whose lines are under way. A server may deal with two messages at once, and takes no lines after the end;
   * and lines that wait again are joined with those after them, which takes that none in between were heard.
   */
  readonly #linesUnderWay = new Set<string>()
  /** The number of the next line of an attempt. Lines keep theirs, so that a server which has heard them knows it. */
  readonly #nextLine = new Map<string, number>()
  readonly #dropped = new WeakSet<Report>()

  get isEmpty(): boolean {
    return this.#underWay.size === 0 && !this.hasWaiting
  }

  get hasWaiting(): boolean {
    return order.some((event) => this.#waiting[event].size > 0)
  }

  add(report: Report): void {
    const { token } = report.entry
    if (report.event === 'job:started') this.#unheardStarts.add(token)
    if (report.event === 'job:log') this.#number(report)
    if (isLast(report)) {
      this.#nextLine.delete(token)
      this.#makeWayFor(report, token)
    }
    this.#put(report, token)
  }

  /** True when the attempt's start has left, so that the server may know of it. */
  saidStarted(token: string): boolean {
    return !this.#waiting['job:started'].has(token)
  }

  /** What waits and may go now, in messages of bounded size; from now on it is under way. */
  take(): readonly Message[] {
    const messages: Message[] = []
    for (const event of order) {
      const reports = this.#takeLane(this.#waiting[event])
      for (const batch of inBatches(reports)) messages.push(this.send(event, batch))
    }
    return messages
  }

  /** These are under way together. */
  send(event: ReportEvent, reports: readonly Report[]): Message {
    const message = { event, reports }
    this.#underWay.add(message)
    if (event === 'job:log') for (const { entry } of reports) this.#linesUnderWay.add(entry.token)
    return message
  }

  /** The message was answered, whatever the answers were. What they leave undone is added anew by the caller. */
  settle(message: Message): void {
    this.#leave(message)
    const [first] = message.reports
    if (!first || (message.event !== 'job:started' && !isLast(first))) return
    for (const { entry } of message.reports) this.#unheardStarts.delete(entry.token)
  }

  /** True for a report whose attempt was dropped while it was under way. */
  isDropped(report: Report): boolean {
    return this.#dropped.has(report)
  }

  /** No answer will come to these: they wait again, in front of what has been added since. */
  putBack(messages: Iterable<Message> = [...this.#underWay]): void {
    const later = this.#waiting
    this.#waiting = emptyLanes()
    for (const message of messages) {
      if (!this.#leave(message)) continue
      for (const report of message.reports) if (!this.#dropped.has(report)) this.#again(report)
    }
    for (const event of order) for (const [token, report] of later[event]) this.#put(report, token)
    this.#forgetOvertakenStarts()
  }

  /** Nobody wants to hear of these attempts any more. */
  drop(tokens: ReadonlySet<string>): void {
    for (const token of tokens) {
      this.#unheardStarts.delete(token)
      this.#nextLine.delete(token)
      for (const event of order) this.#waiting[event].delete(token)
    }
    for (const { reports } of this.#underWay) {
      for (const report of reports) if (tokens.has(report.entry.token)) this.#dropped.add(report)
    }
  }

  #takeLane(lane: Lane): readonly Report[] {
    const reports = [...lane.values()]
    if (this.#linesUnderWay.size === 0) {
      lane.clear()
      return reports
    }
    const free = reports.filter(
      (report) => !followsLines(report) || !this.#linesUnderWay.has(report.entry.token),
    )
    for (const { entry } of free) lane.delete(entry.token)
    return free
  }

  /** One that was refused for the moment comes back with the number it has. */
  #number({ entry }: ReportOf<'job:log'>): void {
    if (entry.first !== undefined) return
    entry.first = this.#nextLine.get(entry.token) ?? 0
    this.#nextLine.set(entry.token, entry.first + entry.lines.length)
  }

  #leave(message: Message): boolean {
    if (message.event === 'job:log') {
      for (const { entry } of message.reports) this.#linesUnderWay.delete(entry.token)
    }
    return this.#underWay.delete(message)
  }

  /** What the last word of an attempt says as well need not be said before it. */
  #makeWayFor(report: Report, token: string): void {
    this.#waiting['job:progress'].delete(token)
    const start = this.#waiting['job:started']
    if (report.event === 'job:rejected') {
      start.delete(token)
      this.#unheardStarts.delete(token)
    } else if (tellsStart(report) && this.#unheardStarts.has(token)) {
      // The outcome waits for the lines to be heard, and nobody should have to wait for the start as long.
      if (!this.#waiting['job:log'].has(token)) start.delete(token)
      report.entry.started = true
    }
  }

  #again(report: Report): void {
    // An old progress says nothing that the next one does not.
    if (report.event === 'job:progress') return
    this.#put(report, report.entry.token)
  }

  #put(report: Report, token: string): void {
    const lane = this.#waiting[report.event]
    const earlier = lane.get(token)
    lane.set(token, report.event === 'job:log' && earlier ? joined(earlier, report) : report)
  }

  #forgetOvertakenStarts(): void {
    const { 'job:completed': completed, 'job:failed': failed, 'job:log': log } = this.#waiting
    const starts = this.#waiting['job:started']
    for (const token of starts.keys()) {
      if ((completed.has(token) || failed.has(token)) && !log.has(token)) starts.delete(token)
    }
  }
}

function emptyLanes(): Lanes {
  return {
    'job:started': new Map(),
    'job:log': new Map(),
    'job:progress': new Map(),
    'job:stopped': new Map(),
    'job:rejected': new Map(),
    'job:completed': new Map(),
    'job:failed': new Map(),
  }
}

/** It goes when the lines before it were acknowledged. */
function followsLines(report: Report): boolean {
  return report.event === 'job:log' || isLast(report)
}

function tellsStart(report: Report): report is ReportOf<'job:completed'> | ReportOf<'job:failed'> {
  return report.event === 'job:completed' || report.event === 'job:failed'
}

/** By their numbers: lines that were refused for the moment come back behind those that were said since. */
function joined(waiting: Report, added: ReportOf<'job:log'>): Report {
  if (waiting.event !== 'job:log') return added
  const inOrder = firstOf(waiting) <= firstOf(added)
  return inOrder ? boundedLog(waiting, added) : boundedLog(added, waiting)
}

function firstOf({ entry }: ReportOf<'job:log'>): number {
  return entry.first ?? 0
}

/**
 * Lines that cannot be told for long must not pile up: the newest that fit into one message are kept. Where some were let
 * go between the two, the later ones take their numbers, under which nothing was sent.
 */
function boundedLog(earlier: ReportOf<'job:log'>, later: ReportOf<'job:log'>): ReportOf<'job:log'> {
  const lines = [...earlier.entry.lines, ...later.entry.lines]
  let bytes = earlier.bytes + later.bytes
  let first = Math.max(0, lines.length - maxLogLines)
  for (let index = 0; index < first; index += 1) bytes -= lines[index]?.length ?? 0
  while (bytes > maxBytes && first < lines.length - 1) {
    bytes -= lines[first]?.length ?? 0
    first += 1
  }
  const entry = { ...later.entry, lines: lines.slice(first), first: firstOf(earlier) + first }
  return { ...later, entry, bytes }
}

function* inBatches(reports: Iterable<Report>): Generator<readonly Report[]> {
  let batch: Report[] = []
  let bytes = 0
  for (const report of reports) {
    if (batch.length === maxReports || (batch.length > 0 && bytes + report.bytes > maxBytes)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(report)
    bytes += report.bytes
  }
  if (batch.length > 0) yield batch
}
