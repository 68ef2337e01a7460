// Where a command speaks: results on stdout, everything for the eye on stderr, so that a pipe gets only results.
// With --json a result is one JSON text on stdout, and so is an error, on stderr.

import { styleText } from 'node:util'
import { CliError } from './cli-error.ts'

type Style = Parameters<typeof styleText>[0]

export interface Terminal {
  readonly json: boolean
  /** Somebody looks: lines may be redrawn. */
  readonly live: boolean
  readonly width: number
  /** The result: as JSON, or as the text that `show` makes of it. */
  result(value: unknown, show: () => string): void
  /** One record of a stream, such as a log line: a JSON text for each, or its own. */
  record(value: unknown, show: () => string): void
  /** For the eye; silent with --json. */
  say(text: string): void
  warn(text: string): void
  /** Redraws the current line on stderr; only where somebody looks. */
  draw(text: string): void
  style(style: Style, text: string): string
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
  const style = (how: Style, text: string): string => styleText(how, text, { stream: stdout })
  return {
    json,
    live,
    width: stdout.columns ?? 100,
    result: (value, show) => line(stdout, json ? JSON.stringify(value, null, 2) : show()),
    record: (value, show) => line(stdout, json ? JSON.stringify(value) : show()),
    say: (text) => {
      if (!json) line(stderr, text)
    },
    warn: (text) => line(stderr, json ? JSON.stringify({ warning: text }) : `millrace: ${text}`),
    draw: (text) => {
      if (!live) return
      stderr.write(`\r\u001b[2K${text}`)
      drawn = true
    },
    style,
    failed: (error) => line(stderr, json ? JSON.stringify(errorOf(error)) : showError(error)),
  }
}

function errorOf(error: unknown): unknown {
  if (!(error instanceof CliError)) return { error: { code: 'fault', message: String(error) } }
  const { code, next, details } = error.facts
  return { error: { code, message: error.message, ...(next && { next }), ...(details ? { details } : {}) } }
}

function showError(error: unknown): string {
  if (!(error instanceof CliError)) return `millrace: ${error instanceof Error ? error.stack : String(error)}`
  const { next } = error.facts
  return `millrace: ${error.message}${next === undefined ? '' : `\n  ${next}`}`
}
