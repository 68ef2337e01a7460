// Why a server could not be started, with what to do about it. What is not known here is a fault and keeps its stack.

import { resolve } from 'node:path'
import {
  type Config,
  NewerStoreFile,
  StoreFileInUse,
  StoreFileUnusable,
  StoreUnavailable,
} from '@millrace/server'
import { readProfiles } from '../connection/profile.ts'
import { CliError, exitCodes } from '../output/cli-error.ts'

export function startFault(error: unknown, { host, port, dataDir }: Config): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof StoreFileInUse) {
    const where = whereItRuns(dataDir)
    return unable(
      message,
      `${where}Stop the other server, or give this one a folder of its own: --data-dir <folder>.`,
    )
  }
  if (error instanceof NewerStoreFile || error instanceof StoreFileUnusable) return unable(message)
  if (error instanceof StoreUnavailable)
    return unable(message, 'Is the address right, and does Redis answer there?')
  switch (code) {
    case 'EADDRINUSE':
      return unable(
        `Port ${port} of ${host} is taken.`,
        'Stop what listens there, or choose another: --port <port>.',
      )
    case 'EADDRNOTAVAIL':
      return unable(`This machine does not have the address ${host}.`, 'Choose another: --host <address>.')
    case 'EACCES':
    case 'EROFS':
      return unable(message, 'Let this user write there, or choose another folder or port.')
    case 'EEXIST':
    case 'ENOTDIR':
      return unable(
        message,
        `The data directory has to be a folder, and ${dataDir} is none: --data-dir <folder>.`,
      )
    default:
      return error
  }
}

/** Known of servers that `dev` started. */
function whereItRuns(dataDir: string): string {
  const { profiles } = readProfiles(process.env)
  const found = Object.entries(profiles).find(([, profile]) => profile.dataDir === resolve(dataDir))
  return found ? `It runs at ${found[1].url} (profile ${found[0]}). ` : ''
}

function unable(message: string, next?: string): CliError {
  return new CliError(message, { exitCode: exitCodes.usage, code: 'cannot_start', ...(next && { next }) })
}
