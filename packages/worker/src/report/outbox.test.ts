import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Outbox } from './outbox.ts'
import {
  completedReport,
  failedReport,
  isLast,
  logReport,
  progressReport,
  type Report,
  type ReportOf,
  rejectedReport,
  startedReport,
  stoppedReport,
} from './report.ts'
import { sampleRef } from './sample-line.ts'

const ref = sampleRef('a')
const said = (outbox: Outbox) =>
  outbox.take().map(({ event, reports }) => [event, ...reports.map(({ entry }) => entry)])

describe('an outbox', () => {
  it('[K1] keeps a report until it was acknowledged', () => {
    const outbox = new Outbox()
    outbox.add(completedReport(ref, 1, 8))
    const [message] = outbox.take()
    expect(outbox.isEmpty).toBe(false)
    expect(outbox.take()).toEqual([])
    outbox.settle(message!)
    expect(outbox.isEmpty).toBe(true)
  })

  it('[K1] says again what was under way when the line broke, in front of what came since', () => {
    const outbox = new Outbox()
    outbox.add(completedReport(ref, 1, 8))
    outbox.take()
    outbox.add(completedReport(sampleRef('b'), 2, 8))
    outbox.putBack()
    expect(said(outbox)).toEqual([['job:completed', { ...ref, result: 1 }, { ...sampleRef('b'), result: 2 }]])
  })

  it('[K2] sends what gathered as one array for each event', () => {
    const outbox = new Outbox()
    for (const name of ['a', 'b']) {
      outbox.add(startedReport(sampleRef(name)))
      outbox.add(stoppedReport(sampleRef(name), 'acknowledged'))
    }
    expect(outbox.take().map(({ event, reports }) => [event, reports.length])).toEqual([
      ['job:started', 2],
      ['job:stopped', 2],
    ])
  })

  it('[K2] sends at most 1,000 entries and about 1 MB in one message', () => {
    const outbox = new Outbox()
    for (let n = 0; n < 2_500; n += 1) outbox.add(startedReport(sampleRef(`${n}`)))
    for (let n = 0; n < 5; n += 1) outbox.add(completedReport(sampleRef(`big ${n}`), 'x', 400_000))
    expect(outbox.take().map(({ reports }) => reports.length)).toEqual([1_000, 1_000, 500, 2, 2, 1])
  })

  it('[K3] leaves out a start that the outcome can tell as well', () => {
    const outbox = new Outbox()
    outbox.add(startedReport(ref))
    outbox.add(completedReport(ref, undefined, 8))
    expect(said(outbox)).toEqual([['job:completed', { ...ref, started: true }]])
  })

  it('[K3] an outcome tells the start until that was acknowledged', () => {
    const outbox = new Outbox()
    outbox.add(startedReport(ref))
    const [start] = outbox.take()
    outbox.add(failedReport(ref, { message: 'no' }, true))
    expect(said(outbox)).toMatchObject([['job:failed', { started: true }]])

    const other = sampleRef('b')
    outbox.add(startedReport(other))
    const [second] = outbox.take()
    outbox.settle(start!)
    outbox.settle(second!)
    outbox.add(completedReport(other, undefined, 8))
    expect(said(outbox)).toEqual([['job:completed', other]])
  })

  it('[K3] a start whose acknowledgement was lost is told by the outcome alone', () => {
    const outbox = new Outbox()
    outbox.add(startedReport(ref))
    outbox.take()
    outbox.add(completedReport(ref, 1, 8))
    outbox.putBack()
    expect(said(outbox)).toEqual([['job:completed', { ...ref, result: 1, started: true }]])
  })

  it('[K3] a rejection takes back a start that was not sent', () => {
    const outbox = new Outbox()
    outbox.add(startedReport(ref))
    outbox.add(rejectedReport(ref, 'no GPU'))
    expect(said(outbox)).toEqual([['job:rejected', { ...ref, reason: 'no GPU' }]])
  })

  it('[K4] lines go after the start and before the outcome, and the last progress is left out', () => {
    const outbox = new Outbox()
    outbox.add(startedReport(ref))
    outbox.add(progressReport(ref, 0.5))
    outbox.add(logReport(ref, ['hello'], 5))
    outbox.add(completedReport(ref, 1, 8))
    const messages = outbox.take()
    expect(messages.map(({ event }) => event)).toEqual(['job:started', 'job:log'])
    expect(outbox.take()).toEqual([])
    for (const message of messages) outbox.settle(message)
    expect(outbox.take().map(({ event }) => event)).toEqual(['job:completed'])
  })

  it('[K4] a cancel stage overtakes the one before it and no outcome', () => {
    const outbox = new Outbox()
    outbox.add(stoppedReport(ref, 'acknowledged'))
    outbox.add(stoppedReport(ref, 'stopped'))
    expect(said(outbox)).toEqual([['job:stopped', { ...ref, stage: 'stopped' }]])
    outbox.add(completedReport(ref, 1, 8))
    outbox.add(stoppedReport(ref, 'acknowledged'))
    expect(outbox.take().map(({ event }) => event)).toEqual(['job:stopped', 'job:completed'])
  })

  it('[K5] lines that cannot be sent are joined, and the newest are kept', () => {
    const outbox = new Outbox()
    for (let n = 0; n < 30; n += 1) {
      const lines = Array.from({ length: 50 }, (_, line) => `${n * 50 + line}`)
      outbox.add(logReport(ref, lines, 200))
    }
    const [message] = outbox.take()
    const entry = message!.reports[0]!.entry as { lines: string[] }
    expect(entry.lines).toEqual(Array.from({ length: 1_000 }, (_, line) => `${line + 500}`))
  })

  it('[W70] lines are numbered within their attempt, and one that ended is counted no longer', () => {
    const outbox = new Outbox()
    outbox.add(logReport(ref, ['one', 'two'], 6))
    outbox.add(logReport(sampleRef('b'), ['other'], 5))
    const [first] = outbox.take()
    expect(first?.reports.map(({ entry }) => entry)).toMatchObject([{ first: 0 }, { first: 0 }])
    outbox.settle(first!)
    outbox.add(logReport(ref, ['three'], 5))
    expect(said(outbox)).toEqual([['job:log', { ...ref, lines: ['three'], first: 2 }]])
    outbox.drop(new Set([ref.token]))
    outbox.putBack()
    outbox.add(logReport(ref, ['anew'], 4))
    expect(said(outbox)).toEqual([['job:log', { ...ref, lines: ['anew'], first: 0 }]])
  })

  it('[W70] lines that are put back keep their number, and the next ones follow on', () => {
    const outbox = new Outbox()
    outbox.add(logReport(ref, ['one', 'two'], 6))
    outbox.take()
    outbox.add(logReport(ref, ['three'], 5))
    expect(outbox.take()).toEqual([])
    outbox.putBack()
    expect(said(outbox)).toEqual([['job:log', { ...ref, lines: ['one', 'two', 'three'], first: 0 }]])
  })

  it('[W70] lines that are to be said again go before those that were said since', () => {
    const outbox = new Outbox()
    outbox.add(logReport(ref, ['one', 'two'], 6))
    const [message] = outbox.take()
    outbox.add(logReport(ref, ['three'], 5))
    outbox.settle(message!)
    outbox.add(message!.reports[0]!)
    expect(said(outbox)).toEqual([['job:log', { ...ref, lines: ['one', 'two', 'three'], first: 0 }]])
  })

  it('[W70] of lines that are let go the numbers go with them', () => {
    const outbox = new Outbox()
    const lines = (from: number) => Array.from({ length: 800 }, (_, line) => `${from + line}`)
    for (const from of [0, 800]) outbox.add(logReport(ref, lines(from), 200))
    expect(outbox.take()[0]?.reports).toMatchObject([{ entry: { first: 600 } }])
    outbox.add(logReport(ref, ['next'], 4))
    outbox.putBack()
    expect(outbox.take()[0]?.reports).toMatchObject([{ entry: { first: 601 } }])
  })

  it('[K6] says nothing more about an attempt that was dropped, also not what was under way', () => {
    const outbox = new Outbox()
    outbox.add(startedReport(ref))
    outbox.add(startedReport(sampleRef('b')))
    const [message] = outbox.take()
    outbox.add(completedReport(ref, 1, 8))
    outbox.drop(new Set([ref.token]))
    expect(message!.reports.map((report) => outbox.isDropped(report))).toEqual([true, false])
    outbox.putBack()
    expect(said(outbox)).toEqual([['job:started', sampleRef('b')]])
  })
})

type Step = 'start' | 'log' | 'progress' | 'end' | 'take' | 'settle' | 'break'

/** A server that applies what reaches it: each attempt's start once, then its end. */
class Ledger {
  readonly ended = new Set<string>()
  readonly #started = new Set<string>()
  readonly #logged = new Set<string>()
  readonly #lines = new Map<string, string>()
  readonly wrong: string[] = []

  hearAll(reports: readonly Report[]): void {
    for (const report of reports) this.#hear(report)
  }

  #hear(report: Report): void {
    const { token } = report.entry
    if (report.event === 'job:started' || ('started' in report.entry && report.entry.started)) {
      this.#started.add(token)
    }
    if (!this.#started.has(token)) this.wrong.push(`${report.event} before the start of ${token}`)
    // What was under way may arrive twice; what is said for the first time may not.
    if (report.event === 'job:log' && this.ended.has(token) && !this.#logged.has(token)) {
      this.wrong.push(`lines of ${token} after its end`)
    }
    if (report.event === 'job:log') this.#hearLines(report)
    if (isLast(report)) this.ended.add(token)
  }

  #hearLines({ entry: { token, lines, first = 0 } }: ReportOf<'job:log'>): void {
    this.#logged.add(token)
    for (const [at, line] of lines.entries()) {
      const place = `${token} ${first + at}`
      const before = this.#lines.get(place)
      if (before === undefined && [...this.#lines.values()].includes(line)) this.wrong.push(`${line} twice`)
      if ((before ?? line) !== line) this.wrong.push(`${before} and ${line} are both number ${place}`)
      this.#lines.set(place, line)
    }
  }

  get heardLines(): readonly string[] {
    return [...this.#lines.values()]
  }
}

describe('whatever happens to the line', () => {
  const job = fc.nat({ max: 4 })
  const step = fc.constantFrom<Step>('start', 'log', 'progress', 'end', 'take', 'settle', 'break')

  it('[K1] [K4] [W70] every end and every line arrives, and nothing of an attempt before its start', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(step, job)), fc.array(fc.boolean()), (steps, arrives) => {
        const outbox = new Outbox()
        const ledger = new Ledger()
        const [begun, over] = [new Set<number>(), new Set<number>()]
        let underWay: ReturnType<Outbox['take']>[number][] = []
        let sent = 0
        const logged: string[] = []
        const take = (): void => {
          const messages = outbox.take()
          // A connection that breaks loses the tail of what was sent, never the middle.
          const lost = messages.findIndex(() => arrives[sent++ % Math.max(1, arrives.length)] === false)
          const reached = lost < 0 ? messages : messages.slice(0, lost)
          for (const { reports } of reached) ledger.hearAll(reports)
          if (lost < 0) underWay.push(...messages)
          else breakLine()
        }
        const breakLine = (): void => {
          outbox.putBack()
          underWay = []
        }
        for (const [what, number] of steps) {
          const attempt = sampleRef(`${number}`)
          const runs = begun.has(number) && !over.has(number)
          if (what === 'start' && !begun.has(number)) {
            begun.add(number)
            outbox.add(startedReport(attempt))
          } else if (what === 'log' && runs) {
            logged.push(`line ${logged.length}`)
            outbox.add(logReport(attempt, logged.slice(-1), 6))
          } else if (what === 'progress' && runs) outbox.add(progressReport(attempt, 0.5))
          else if (what === 'end' && runs) {
            over.add(number)
            outbox.add(completedReport(attempt, number, 8))
          } else if (what === 'take') take()
          else if (what === 'settle') for (const message of underWay.splice(0)) outbox.settle(message)
          else if (what === 'break') breakLine()
        }
        for (let rounds = 0; rounds < 4; rounds += 1) {
          for (const message of underWay.splice(0)) outbox.settle(message)
          underWay.push(...outbox.take())
          for (const { reports } of underWay) ledger.hearAll(reports)
        }
        expect(ledger.wrong).toEqual([])
        expect(ledger.heardLines.toSorted()).toEqual(logged.toSorted())
        expect([...ledger.ended].toSorted()).toEqual(
          [...over].map((number) => sampleRef(`${number}`).token).toSorted(),
        )
      }),
      { seed: 7, numRuns: 500 },
    )
  })
})
