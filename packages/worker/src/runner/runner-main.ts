// A runner: a process of its own that runs one job after the other for its worker. It imports the module that defines
// the extensions, and goes with its whole process group when its worker is gone.

import { pathToFileURL } from 'node:url'
import { definitionKey } from '../extension/extension.ts'
import { Attempt } from '../job/attempt.ts'
import { InProcess } from '../job/in-process.ts'
import { errorOf } from '../job/settled.ts'
import { within } from '../worker/within.ts'
import { JobAborted } from '../worker-error.ts'
import { becomeRunner } from './in-runner.ts'
import { endOf, type FromRunner, type ToRunner } from './runner-message.ts'
import { RunnerVoice } from './runner-voice.ts'

const lastOutputMs = 2_000

const definitions = becomeRunner()
const voice = new RunnerVoice(send)
const handlers = new InProcess(voice, (attempt, settled) => {
  attempt.ended = true
  voice.flush()
  voice.locks.forget()
  void written().then(() => send({ type: 'settled', end: endOf(settled) }))
})
let current: Attempt | null = null

/** Much output waits for the worker to read it; the end of a job must not overtake it, nor wait for ever. */
async function written(): Promise<void> {
  const waiting = [process.stdout, process.stderr].filter((each) => each.writableLength > 0 && each.writable)
  const drained = waiting.map((each) => new Promise<void>((resolve) => each.write('', () => resolve())))
  if (waiting.length > 0) await within(lastOutputMs, Promise.all(drained))
}

function send(message: FromRunner): void {
  // Without a channel there is nobody to tell, and 'disconnect' ends this process.
  if (process.connected) process.send?.(message)
}

function hear(message: ToRunner): void {
  if (message.type === 'abort') {
    current?.abort(new JobAborted(message.why, message.message))
    return
  }
  if (message.type === 'lock') {
    voice.locks.hear(message.reply)
    return
  }
  const extension = definitions.find((each) => definitionKey(each) === message.extension)
  if (!extension)
    throw new Error(`The runner was given a job for ${message.extension}, which it does not know.`)
  current = new Attempt(message.job, extension, 1, Number.POSITIVE_INFINITY)
  handlers.run(current)
}

process.on('disconnect', () => {
  if (process.platform !== 'win32') process.kill(-process.pid, 'SIGKILL')
  process.exit()
})

// A system that stops a service tells all its processes; what becomes of a job is for the worker to decide.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)

process.on('uncaughtException', (thrown, origin) => {
  const { message, ...rest } = errorOf(thrown)
  const what =
    origin === 'unhandledRejection' ? 'A promise was rejected and nobody caught it' : 'Nobody caught'
  const error = { ...rest, message: `${what}: ${message}` }
  if (process.connected)
    process.send?.({ type: 'crashed', error } satisfies FromRunner, () => process.exit(1))
  else process.exit(1)
})

const [, , module = ''] = process.argv
const imported = import(module.startsWith('file:') ? module : pathToFileURL(module).href)

// A job may be sent before the module is there; it waits for it, in order.
process.on('message', (message) => void imported.then(() => hear(message as ToRunner)))

try {
  await imported
  send({ type: 'ready', extensions: definitions.map(definitionKey) })
} catch (error) {
  send({ type: 'unable', message: errorOf(error).stack ?? errorOf(error).message })
  process.disconnect?.()
}
