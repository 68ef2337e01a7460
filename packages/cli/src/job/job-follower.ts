// How a followed job is told: redrawn in place where somebody looks, a line for each change where not, and one JSON text
// for each with --json. Log lines go to stderr, beside the rest: stdout is for the result.

import type { JobView, LogLine, WhyView } from '@millrace/protocol'
import { plainText, plainValue } from '../output/plain-text.ts'
import type { Terminal } from '../output/terminal.ts'
import { type Follower, isEnded } from './follow-job.ts'
import { type Progressing, progressLine, showWhy } from './progress-line.ts'
import { progressOf, showStatus } from './show-job.ts'

export interface ShownFollower extends Follower {
  /** Nothing is drawn any more. */
  end(): void
}

const redrawMs = 100
/** Of a progress without words, every so much is worth a line. */
const step = 0.1

export function jobFollower(terminal: Terminal): ShownFollower {
  if (terminal.json) return jsonFollower(terminal)
  return terminal.live ? liveFollower(terminal) : lineFollower(terminal)
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

function lineFollower(terminal: Terminal): ShownFollower {
  const once = sayOnce(terminal)
  let shown = { fraction: -1, message: '' }
  return {
    state: (job) => {
      // Why it waits is told instead of that it does, and how it ended is told with its result.
      if (job.status !== 'pending' && !isEnded(job)) once(stateLine(job, terminal))
    },
    waiting: (why) => once(`${showStatus('pending', terminal.sayStyle)}: ${plainText(showWhy(why))}`),
    progress: (fraction, message = '') => {
      if (message === shown.message && fraction < 1 && fraction < shown.fraction + step) return
      shown = { fraction, message }
      once(plainText(progressOf({ fraction, message })))
    },
    line: ({ text }) => terminal.say(`  ${plainText(text)}`),
    trouble: (reason) => once(reason === null ? 'The server answers again.' : plainText(reason)),
    end: () => undefined,
  }
}

function liveFollower(terminal: Terminal): ShownFollower {
  let shown: Omit<Progressing, 'job'> = { why: null, fraction: null, message: '', trouble: null }
  let job: JobView | null = null
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
    waiting: (why: WhyView) => change({ why }),
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

function stateLine(job: JobView, { sayStyle }: Terminal): string {
  const { status, worker, cancel } = job
  const on = status === 'assigned' ? ` to ${worker}` : status === 'running' ? ` on ${worker}` : ''
  const asked = cancel && status !== 'cancelled' ? ` (cancel: ${cancel.stage})` : ''
  return `${showStatus(status, sayStyle)}${plainText(on + asked)}`
}

/** The same twice in a row is no change. */
function sayOnce(terminal: Terminal): (text: string) => void {
  let said = ''
  return (text) => {
    if (text !== said) terminal.say(text)
    said = text
  }
}
