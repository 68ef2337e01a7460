// The server's log for somebody who sits in front of it: lines of text, not of JSON.

import { type LogLevel, maskSecrets, type ServerLog } from '@millrace/server'
import type { Terminal } from '../output/terminal.ts'

const talkative: readonly LogLevel[] = ['trace', 'debug', 'info']

export function devLog(level: LogLevel, terminal: Terminal): ServerLog {
  return {
    ...((level === 'trace' || level === 'debug') && {
      debug: (message: string) => terminal.say(maskSecrets(message)),
    }),
    info: (message) => {
      if (talkative.includes(level)) terminal.say(maskSecrets(message))
    },
    warn: (message) => {
      if (level === 'warn' || talkative.includes(level)) terminal.warn(maskSecrets(message))
    },
    error: (fault, message) => {
      if (level === 'silent') return
      terminal.warn(maskSecrets(`${message}\n${fault instanceof Error ? fault.stack : String(fault)}`))
    },
  }
}
