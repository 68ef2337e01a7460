// Runs a worker's file in this process. A file that exports extensions gets a worker made for them; one that starts its
// own finds the server, the token and the room in its environment, where examples and the SDK's page look for them.

import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createWorker, type Extension, type Worker, WorkerError, WorkerRefused } from '@millrace/worker'
import { refused } from '../connection/api.ts'
import type { Target } from '../connection/target.ts'
import { CliError, exitCodes } from '../output/cli-error.ts'
import type { Terminal } from '../output/terminal.ts'
import { endWithSupervisor, supervisorLine } from '../process/supervisor-line.ts'
import { stampFile } from './file-stamp.ts'
import { importFile } from './import-file.ts'
import { JobLines } from './job-lines.ts'
import { lendProject, tellFiles } from './module-hooks.ts'
import { areYouThere, type RunMessage } from './run-message.ts'
import { extensionsAmong } from './served-extensions.ts'

export interface ServeFlags {
  readonly slots?: number
  readonly isolation?: 'none' | 'process'
  readonly howeverBusy?: boolean
  readonly watch?: boolean
  readonly quiet?: boolean
}

/** Somebody who has just saved the file waits for its new version, not for the last job of the old one. */
const reloadWaitMs = 3_000

export async function serveFile(
  file: string,
  target: Target,
  flags: ServeFlags,
  terminal: Terminal,
): Promise<void> {
  const url = pathToFileURL(resolve(file)).href
  followSupervisor(url, flags.watch === true)
  lendProject()
  lendTarget(target)
  const before = process.listenerCount('SIGTERM')
  const extensions = extensionsAmong(await importFile(url, target))
  // A worker that was started has taken charge of the signals.
  const startsItself = process.listenerCount('SIGTERM') > before
  if (startsItself) return tellServing(null)
  if (extensions.length === 0) return sayWhenNothingRuns(file, terminal)
  await startFor(extensions, url, target, flags, terminal)
}

function followSupervisor(url: string, isWatched: boolean): void {
  const supervisor = supervisorLine()
  if (supervisor === null) return
  const tell = (message: RunMessage): void => supervisor.tell(message)
  if (isWatched) tellFiles(url, (own) => tell(stampFile(fileURLToPath(own))))
  process.on('message', () => tell(areYouThere))
  endWithSupervisor(() => process.kill(process.pid, 'SIGTERM'))
}

function lendTarget({ url, token, room }: Target): void {
  process.env.MILLRACE_URL = url
  if (token !== null) process.env.MILLRACE_TOKEN = token
  if (room !== null) process.env.MILLRACE_ROOM = room
}

async function startFor(
  extensions: readonly Extension[],
  module: string,
  target: Target,
  { slots = 1, isolation = 'none', howeverBusy = false, watch = false, quiet = false }: ServeFlags,
  terminal: Terminal,
): Promise<void> {
  if (isolation === 'process')
    process.execArgv.push('--import', new URL('./lend-project.ts', import.meta.url).href)
  const { url, token, room } = target
  try {
    const worker = createWorker({
      url,
      ...(token !== null && { token }),
      ...(room !== null && { room }),
      ...(watch && { shutdownTimeoutMs: reloadWaitMs }),
      vitals: !(howeverBusy || watch),
      extensions,
      slots,
      isolation,
      module,
      logger: { info: (text) => terminal.say(text), warn: (text) => terminal.warn(text) },
    })
    if (terminal.json) tellInJson(worker, quiet, terminal)
    else if (!quiet) tellInLines(worker, terminal)
    if (isolation === 'none') tellServing(onlyOf(extensions))
    await worker.start()
  } catch (error) {
    if (error instanceof WorkerRefused) throw refused(error.problem.status, error.problem, target)
    if (error instanceof WorkerError) throw unable(error)
    throw error
  }
}

function tellServing(serving: string | null): void {
  supervisorLine()?.tell({ serving } satisfies RunMessage)
}

/** Of several nobody can say from outside which one keeps the others waiting. */
function onlyOf([only, ...others]: readonly Extension[]): string | null {
  return only === undefined || others.length > 0 ? null : `${only.category}/${only.name}`
}

function tellInJson(worker: Worker, quiet: boolean, terminal: Terminal): void {
  worker.on('connected', (connected) => terminal.record({ event: 'connected', ...connected }, () => ''))
  if (!quiet) worker.on('ended', (job) => terminal.record({ event: 'ended', ...job }, () => ''))
}

function tellInLines(worker: Worker, terminal: Terminal): void {
  const lines = new JobLines((line) => terminal.say(line), terminal.sayStyle)
  worker.on('ended', (job) => lines.add(job))
  process.once('exit', () => lines.flush())
}

function unable({ message }: WorkerError): CliError {
  return new CliError(message, { exitCode: exitCodes.usage, code: 'worker_unable' })
}

/** It may have begun something that takes a while; that it began nothing shows when there is nothing left to wait for. */
function sayWhenNothingRuns(file: string, terminal: Terminal): void {
  process.once('beforeExit', () => {
    process.exitCode = exitCodes.usage
    terminal.failed(
      new CliError(`${file} exports no extension and starts no worker.`, {
        exitCode: exitCodes.usage,
        code: 'file_empty',
        next: 'Export what `defineExtension` returns: `export const square = defineExtension({ … })`.',
      }),
    )
  })
}
