// A runner: a process of its own that runs one job after the other for its worker. It imports the module that defines
// the extensions, and goes with its whole process group when its worker is gone.

import { pathToFileURL } from 'node:url'
import { definitionKey } from '../extension/extension.ts'
import { Attempt } from '../job/attempt.ts'
import { InProcess } from '../job/in-process.ts'
import { errorOf } from '../job/settled.ts'
import { JobAborted } from '../worker-error.ts'
import { becomeRunner } from './in-runner.ts'
import { endOf, type FromRunner, type ToRunner } from './runner-message.ts'
import { RunnerVoice } from './runner-voice.ts'

const definitions = becomeRunner()
const voice = new RunnerVoice(send)
const handlers = new InProcess(voice, (attempt, settled) => {
  attempt.ended = true
  voice.flush()
  send({ type: 'settled', end: endOf(settled) })
})
let current: Attempt | null = null

function send(message: FromRunner): void {
  // Without a channel there is nobody to tell, and 'disconnect' ends this process.
  if (process.connected) process.send?.(message)
}

function hear(message: ToRunner): void {
  if (message.type === 'abort') {
    current?.abort(new JobAborted(message.why, message.message))
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
