// The log of a server as lines of JSON.

import { pino } from 'pino'
import type { LogLevel } from './config/config.ts'
import type { ServerLog } from './start-server.ts'

export function pinoLog(level: LogLevel): ServerLog {
  const logger = pino({ level })
  return {
    info: (message) => logger.info(message),
    warn: (message) => logger.warn(message),
    error: (fault, message) => logger.error({ err: fault }, message),
  }
}
