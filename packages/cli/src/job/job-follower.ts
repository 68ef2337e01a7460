// How a followed job is told: redrawn in place where somebody looks, a line for each change where not, and one JSON text
// for each with --json. Log lines go to stderr, beside the rest: stdout is for the result.

import type { JobView, LogLine, WhyView } from '@millrace/protocol'
import { plainText, plainValue } from '../output/plain-text.ts'
import type { Terminal } from '../output/terminal.ts'
import type { Follower } from './follow-job.ts'
import { lineFollower } from './line-follower.ts'
import { type Progressing, progressLine } from './progress-line.ts'
import { isOverloaded, overloadAdvice } from './wait-words.ts'

export interface ShownFollower extends Follower {
  /** Nothing is drawn any more. */
  end(): void
}

const redrawMs = 100

export function jobFollower(terminal: Terminal): ShownFollower {
  if (terminal.json) return jsonFollower(terminal)
  if (terminal.live) return liveFollower(terminal)
  return { ...lineFollower(terminal.say, terminal.sayStyle), end: () => undefined }
}

function jsonFollower(terminal: Terminal): ShownFollower {
  const tell = (record: object): void => terminal.record(record, () => '')
  const told = new Map<string, string>()
  // Looked at again and again, most of it is as it was.
  const tellChange = (event: string, record: object): void => {
    const text = JSON.stringify(record)
    if (text !== told.get(event)) tell({ event, ...record })
    told.set(event, text)
  }
  return {
    state: ({ status, worker, cancel }) =>
      tellChange('state', { status, ...(worker && { worker }), ...(cancel && { cancel: cancel.stage }) }),
    waiting: ({ status: _status, ...why }) => tellChange('waiting', why),
    progress: (fraction, message) => tell({ event: 'progress', fraction, ...(message && { message }) }),
    line: (line) => tell({ event: 'log', ...line }),
    trouble: (reason) =>
      tell({ event: 'connection', state: reason === null ? 'back' : 'lost', ...(reason && { reason }) }),
    end: () => undefined,
  }
}

function liveFollower(terminal: Terminal): ShownFollower {
  let shown: Omit<Progressing, 'job'> = { why: null, fraction: null, message: '', trouble: null }
  let job: JobView | null = null
  let isAdvised = false
  // Progress may be heard before the job was fetched for the first time.
  const redraw = (): void => {
    if (job) terminal.draw(progressLine({ job, ...shown }, Date.now(), terminal.sayStyle))
  }
  const change = (part: Partial<typeof shown>): void => {
    shown = { ...shown, ...plainValue(part) }
    redraw()
  }
  const timer = setInterval(redraw, redrawMs)
  return {
    state: (now) => {
      job = plainValue(now)
      change(now.status === 'pending' ? { fraction: null, message: '' } : {})
    },
    waiting: (why: WhyView) => {
      if (!isAdvised && isOverloaded(why)) {
        isAdvised = true
        terminal.say(`  Next: ${overloadAdvice}`)
      }
      change({ why })
    },
    progress: (fraction, message = '') => change({ fraction, message }),
    line: ({ text }: LogLine) => {
      terminal.say(terminal.sayStyle('dim', `  ${plainText(text)}`))
      redraw()
    },
    trouble: (trouble) => change({ trouble }),
    end: () => {
      clearInterval(timer)
      terminal.clear()
    },
  }
}
