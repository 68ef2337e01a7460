// A line for every job that a worker ended, for whoever sits in front of it. A worker of many short jobs ends more than
// anybody reads: then only the first of each second are shown, and the rest counted.

import type { EndedJob } from '@millrace/worker'
import { shortId } from '../job/show-job.ts'
import { plainText } from '../output/plain-text.ts'
import type { Paint, Style } from '../output/terminal.ts'
import { showDuration } from '../output/time.ts'

type Outcome = EndedJob['outcome']

const windowMs = 1_000
const mostInWindow = 10
/** An error may be a page long; `jobs get` shows it whole. */
const mostCharacters = 200

const colours: Readonly<Record<Outcome, Style>> = {
  completed: 'green',
  failed: 'red',
  cancelled: 'magenta',
  rejected: 'yellow',
  left: 'yellow',
  late: 'yellow',
  unsure: 'yellow',
}

const words: Readonly<Record<Outcome, string>> = {
  completed: 'completed in',
  failed: 'failed after',
  cancelled: 'cancelled after',
  rejected: 'given back after',
  left: 'left to another worker after',
  late: 'ended too late, after',
  unsure: 'ended after',
}

/** What an outcome alone does not say. */
const further: Readonly<Partial<Record<Outcome, string>>> = {
  late: ': the server had taken it back, for another to run',
  unsure: ': the connection broke before the server answered; `jobs get` shows what became of it',
}

export class JobLines {
  readonly #say: (line: string) => void
  readonly #paint: Paint
  #timer: NodeJS.Timeout | null = null
  #shown = 0
  readonly #more = new Map<Outcome, number>()

  constructor(say: (line: string) => void, paint: Paint) {
    this.#say = say
    this.#paint = paint
  }

  add(job: EndedJob): void {
    this.#timer ??= setTimeout(() => this.flush(), windowMs).unref()
    this.#shown += 1
    if (this.#shown <= mostInWindow) this.#say(jobLine(job, this.#paint))
    else this.#more.set(job.outcome, (this.#more.get(job.outcome) ?? 0) + 1)
  }

  /** What was only counted so far is said. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#shown = 0
    if (this.#more.size > 0) this.#say(restLine(this.#more))
    this.#more.clear()
  }
}

function jobLine(job: EndedJob, paint: Paint): string {
  const { id, category, extension, outcome, runMs, error, retryable } = job
  const [first = ''] = (error?.message ?? '').split('\n')
  const cut = first.length > mostCharacters ? `${first.slice(0, mostCharacters)}…` : first
  const why = error === undefined ? (further[outcome] ?? '') : `: ${cut}`
  const forGood = outcome === 'failed' && retryable === false ? ', for good' : ''
  const how = paint(colours[outcome], `${words[outcome]} ${showDuration(runMs)}${forGood}`)
  return `${shortId(id)}  ${plainText(`${category}/${extension}`)}  ${how}${plainText(why)}`
}

function restLine(more: ReadonlyMap<Outcome, number>): string {
  const total = [...more.values()].reduce((sum, one) => sum + one, 0)
  const parts = [...more].map(([outcome, count]) => `${grouped(count)} ${outcome}`)
  return `… ${grouped(total)} more: ${parts.join(', ')}`
}

function grouped(count: number): string {
  return count.toLocaleString('en')
}
