// The line that is redrawn while a job is followed: its state, how far it is or why it waits, and for how long.

import type { JobView, WhyView } from '@millrace/protocol'
import type { Paint } from '../output/terminal.ts'
import { showDuration } from '../output/time.ts'
import { stageInWords } from './job-words.ts'
import { showStatus } from './show-job.ts'
import { lastTry } from './wait-words.ts'

const turning = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const barLength = 24
const partial = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

export interface Progressing {
  readonly job: JobView
  readonly why: WhyView | null
  readonly fraction: number | null
  readonly message: string
  readonly trouble: string | null
}

export function progressLine(state: Progressing, now: number, style: Paint): string {
  const { job, trouble } = state
  const turn = turning[Math.floor(now / 100) % turning.length] ?? ''
  const since = job.status === 'running' && job.startedAt !== undefined ? job.startedAt : job.createdAt
  const seconds = Math.max(0, Math.floor((now - since) / 1_000))
  const elapsed = style('dim', seconds < 60 ? `${seconds} s` : showDuration(seconds * 1_000))
  if (trouble !== null) return `${turn} ${style('yellow', 'no connection')} ${elapsed}  trying again`
  const about = job.cancel ? `cancel: ${stageInWords(job.cancel.stage)}` : aboutState(state)
  return `${turn} ${showStatus(job.status, style)} ${elapsed}  ${about}`.trimEnd()
}

export function showWhy({ sentence, ahead, estimateMs }: WhyView): string {
  const place = ahead === null || ahead === 0 ? '' : `${ahead} ahead`
  const wait = estimateMs === null ? '' : `about ${showDuration(estimateMs)}`
  const figures = [place, wait].filter((part) => part !== '').join(', ')
  return figures === '' ? sentence : `${sentence} (${figures})`
}

function aboutState({ job, why, fraction, message }: Progressing): string {
  if (job.status === 'pending') return why === null ? '' : `${showWhy(why)}${lastTry(job)}`
  if (job.status === 'assigned') return `to ${job.worker ?? 'a worker'}`
  if (fraction === null) return `on ${job.worker ?? 'a worker'}`
  return [bar(fraction), `${Math.floor(fraction * 100)} %`.padStart(5), message].join(' ').trimEnd()
}

function bar(fraction: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, fraction)) * barLength * 8)
  const full = '█'.repeat(Math.floor(eighths / 8)) + (partial[eighths % 8] ?? '')
  return `▕${full.padEnd(barLength)}▏`
}
