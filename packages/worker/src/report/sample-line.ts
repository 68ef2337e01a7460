// For tests: a line that writes down what is said over it and answers as it is told.

import type { AttemptRef, Problem, ReportAnswer } from '@millrace/protocol'
import type { Line, MessageAnswer } from './post.ts'
import type { Report, ReportEvent } from './report.ts'

export interface Said {
  readonly event: ReportEvent
  readonly entries: readonly Report['entry'][]
  readonly answer: (answer: MessageAnswer | null) => void
}

export class SampleLine {
  readonly said: Said[] = []
  readonly line: Line = (event, entries, answer) => {
    this.said.push({ event, entries, answer })
  }

  /** The events so far, each with the jobs it was about. */
  get events(): readonly string[] {
    return this.said.map(({ event, entries }) => `${event} ${entries.map(({ job }) => job).join(' ')}`)
  }

  /** Everything said so far is acknowledged, and forgotten here. */
  acknowledge(): void {
    for (const { entries, answer } of this.said.splice(0)) answer(heard(entries.length))
  }
}

export function heard(count: number): MessageAnswer {
  return { ok: true, answers: Array.from({ length: count }, (): ReportAnswer => ({ status: 'running' })) }
}

export function sampleRef(name: string): AttemptRef {
  return { room: 'lab', job: name, token: `token of ${name}` }
}

export function sampleProblem(code: string, status: number): Problem {
  return { type: 'about:blank', title: code, status, code, detail: `It is ${code}.` }
}

/** What was said in this turn has been sent, also what promises said that were settled in it. */
export async function turn(): Promise<void> {
  for (let round = 0; round < 2; round += 1) await new Promise((resolve) => setImmediate(resolve))
}
