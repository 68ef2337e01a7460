// The log of a server as lines of JSON. Of a fault only its words are told: what else hangs on it (the arguments of a
// command, a request) may hold what nobody should read.

import { pino } from 'pino'
import type { LogLevel } from './config/config.ts'
import { maskSecrets } from './mask-secrets.ts'
import type { ServerLog } from './start-server.ts'

export function pinoLog(level: LogLevel): ServerLog {
  const logger = pino({ level })
  return {
    info: (message) => logger.info(maskSecrets(message)),
    warn: (message) => logger.warn(maskSecrets(message)),
    error: (fault, message) => logger.error({ err: wordsOf(fault) }, maskSecrets(message)),
    ...(logger.isLevelEnabled('debug') && {
      debug: (message: string) => logger.debug(maskSecrets(message)),
    }),
  }
}

interface Words {
  readonly type: string
  readonly message: string
  readonly stack?: string
  readonly code?: string
  readonly cause?: Words
}

/** Causes have causes; a fault that is its own would never end. */
const deepest = 5

function wordsOf(fault: unknown, depth = 0): Words {
  if (!(fault instanceof Error)) return { type: typeof fault, message: maskSecrets(String(fault)) }
  const { name, message, stack, cause, code } = fault as NodeJS.ErrnoException
  return {
    type: name,
    message: maskSecrets(message),
    ...(stack !== undefined && { stack: maskSecrets(stack) }),
    ...(typeof code === 'string' && { code }),
    ...(cause !== undefined && depth < deepest && { cause: wordsOf(cause, depth + 1) }),
  }
}
