// The server's log for somebody who sits in front of it: lines of text, not of JSON.

import type { LogLevel, ServerLog } from '@millrace/server'
import type { Terminal } from '../output/terminal.ts'

const talkative: readonly LogLevel[] = ['trace', 'debug', 'info']

export function devLog(level: LogLevel, terminal: Terminal): ServerLog {
  return {
    info: (message) => {
      if (talkative.includes(level)) terminal.say(message)
    },
    warn: (message) => {
      if (level === 'warn' || talkative.includes(level)) terminal.warn(message)
    },
    error: (fault, message) => {
      if (level === 'silent') return
      terminal.warn(`${message}\n${fault instanceof Error ? fault.stack : String(fault)}`)
    },
  }
}
