// Where a command speaks: results on stdout, everything for the eye on stderr, so that a pipe gets only results.
// With --json a result is one JSON text on stdout, and so is an error, on stderr. What is shown to people is cleaned of
// control characters first; JSON escapes them.

import { stripVTControlCharacters, styleText } from 'node:util'
import { CliError } from './cli-error.ts'
import { plainText, plainValue } from './plain-text.ts'

export type Style = Parameters<typeof styleText>[0]
export type Paint = (style: Style, text: string) => string

/** Of terminals that say they have no columns, as those of containers may. */
const unknownWidth = 80

export interface Terminal {
  readonly json: boolean
  /** Somebody looks: lines may be redrawn. */
  readonly live: boolean
  /** Characters in a line of a result; without end where nobody looks. */
  readonly width: number
  /** Somebody looks at the result on a screen, so a long one is cut. */
  readonly brief: boolean
  /** The result: as JSON, or as the text that `show` makes of it. */
  result<Value>(value: Value, show: (value: Value) => string): void
  /** One record of a stream, such as a log line: a JSON text for each, or its own. */
  record<Value>(value: Value, show: (value: Value) => string): void
  /** For the eye; silent with --json. */
  say(text: string): void
  warn(text: string): void
  /** Redraws the current line on stderr, cut to its width; only where somebody looks. */
  draw(text: string): void
  /** Takes back what was drawn. */
  clear(): void
  /** Colours for results. */
  readonly style: Paint
  /** Colours for what is said or drawn. */
  readonly sayStyle: Paint
  failed(error: unknown): void
}

export function createTerminal(json: boolean): Terminal {
  const { stdout, stderr } = process
  const live = stderr.isTTY === true && !json && process.env.TERM !== 'dumb'
  let drawn = false
  const clear = (): void => {
    if (drawn) stderr.write('\r\u001b[2K')
    drawn = false
  }
  const line = (stream: NodeJS.WriteStream, text: string): void => {
    clear()
    stream.write(text.endsWith('\n') || text === '' ? text : `${text}\n`)
  }
  return {
    json,
    live,
    width: widthOf(stdout),
    brief: stdout.isTTY === true,
    result: (value, show) => line(stdout, json ? JSON.stringify(value, null, 2) : show(plainValue(value))),
    record: (value, show) => line(stdout, json ? JSON.stringify(value) : show(plainValue(value))),
    say: (text) => {
      if (!json) line(stderr, text)
    },
    warn: (text) => line(stderr, json ? JSON.stringify({ warning: text }) : `millrace: ${plainText(text)}`),
    draw: (text) => {
      if (!live) return
      stderr.write(`\r\u001b[2K${cut(text, (stderr.columns || unknownWidth) - 1)}`)
      drawn = true
    },
    clear,
    style: (how, text) => styleText(how, text, { stream: stdout }),
    sayStyle: (how, text) => styleText(how, text, { stream: stderr }),
    failed: (error) => line(stderr, json ? JSON.stringify(errorOf(error)) : plainText(showError(error))),
  }
}

function widthOf(stdout: NodeJS.WriteStream): number {
  const asked = Number(process.env.COLUMNS)
  if (asked >= 20) return asked
  return stdout.isTTY === true ? stdout.columns || unknownWidth : Number.POSITIVE_INFINITY
}

/** A line that wraps cannot be redrawn. Where it is too long it loses its colours with its end. */
function cut(text: string, width: number): string {
  const bare = [...stripVTControlCharacters(text)]
  return bare.length <= width ? text : `${bare.slice(0, width - 1).join('')}…`
}

function errorOf(error: unknown): unknown {
  if (!(error instanceof CliError)) return { error: { code: 'fault', message: String(error) } }
  const { code, next, details } = error.facts
  return { error: { code, message: error.message, ...(next && { next }), ...(details ? { details } : {}) } }
}

function showError(error: unknown): string {
  if (!(error instanceof CliError)) return `millrace: ${error instanceof Error ? error.stack : String(error)}`
  const { next } = error.facts
  return `millrace: ${error.message}${next === undefined ? '' : `\n  ${next.replaceAll('\n', '\n  ')}`}`
}
