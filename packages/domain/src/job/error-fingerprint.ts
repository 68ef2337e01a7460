// Which errors are one error: those of one extension with the same name, the same message but for what differs from
// job to job, and the same place in the author's own code. Lines are left out, so that an edit above does not split it.

import { cutText } from './bounded-error.ts'
import type { Job, JobError, Submission } from './job.ts'

export interface ErrorKind {
  readonly fingerprint: string
  /** The message with numbers, ids and quoted texts taken out. */
  readonly pattern: string
  /** The first line of the stack that is not a library's; null where there is none. */
  readonly place: string | null
}

type Source = Pick<Submission, 'scope' | 'category' | 'extension'>

const patternLimit = 300
const placeLimit = 200

export function errorKind({ scope, category, extension }: Source, error: JobError): ErrorKind {
  const pattern = patternOf(error.message)
  const place = placeOf(error.stack ?? '')
  const parts = [scope, category, extension, error.name ?? '', pattern, place ?? '']
  return { fingerprint: printOf(JSON.stringify(parts)), pattern, place }
}

/** The error that came with this transition; null where the job did not fail by it, or an attempt was merely lost. */
export function errorSeen(before: Job, job: Job): JobError | null {
  const { error } = job
  if (error === undefined || error === before.error) return null
  if (job.status === 'failed') return error
  const outcome = job.ended.at(-1)?.outcome
  return outcome === 'failed_retryable' || outcome === 'timed_out' ? error : null
}

// Each is bounded on purpose: a message is written by strangers, and a pattern that backs up would cost them nothing.
const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi
const quoted = /"[^"\n]{0,200}"|`[^`\n]{0,200}`|(?<!\w)'[^'\n]{0,200}'(?!\w)/g
const hexadecimal = /\b(?:0x[0-9a-f]{1,64}|(?=[a-f]{0,64}\d)[0-9a-f]{8,64})\b/gi
const decimal = /\d+(?:\.\d+)?/g

function patternOf(message: string): string {
  const text = message
    .replace(uuid, '<id>')
    .replace(quoted, '<text>')
    .replace(hexadecimal, '<id>')
    .replace(decimal, '<n>')
    .replace(/\s+/g, ' ')
    .trim()
  return cutText(text, patternLimit)
}

const library =
  /node_modules|node:|internal\/|site-packages|dist-packages|lib\/python|<frozen|packages\/worker\//
const inJavaScript =
  /^\s{0,20}at (?:async )?(?:(.{1,200}?) \()?((?:file:|\/|[A-Za-z]:\\|webpack:).{1,400}?):\d+(?::\d+)?\)?$/
const inPython = /^\s{0,20}File "(.{1,400}?)", line \d+(?:, in (.{1,200}))?$/

/** Python tells the innermost call last, JavaScript first. */
function placeOf(stack: string): string | null {
  const lines = stack.split('\n')
  for (const line of lines) {
    const [, called, file] = (!library.test(line) && inJavaScript.exec(line)) || []
    if (file !== undefined) return shortPlace(called, file)
  }
  for (const line of lines.toReversed()) {
    const [, file, called] = (!library.test(line) && inPython.exec(line)) || []
    if (file !== undefined) return shortPlace(called, file)
  }
  return null
}

/** Where it is installed differs from worker to worker; the file's own name does not. */
function shortPlace(called: string | undefined, file: string): string {
  const name = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1)
  return cutText(called === undefined ? name : `${called} (${name})`, placeLimit)
}

/** Two FNV-1a sums of 32 bits. Whoever makes two errors meet on purpose has merged their own. */
function printOf(text: string): string {
  let [one, other] = [0x811c9dc5, 0x01000193]
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    one = Math.imul(one ^ unit, 0x01000193)
    other = Math.imul(other ^ unit ^ (at & 0xff), 0x85ebca6b)
  }
  return hex(one) + hex(other)
}

function hex(number: number): string {
  return (number >>> 0).toString(16).padStart(8, '0')
}
