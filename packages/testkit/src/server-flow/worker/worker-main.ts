// Workers as a user writes them, with the SDK, in a process of their own. Every run is noted in a ledger outside of
// Millrace before the handler does anything, so that a job that ran twice stands in it twice.

import { appendFileSync, existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { createWorker, defineExtension, type Extension, failed, fatal, type Job } from '@millrace/worker'

export interface WorkerTask {
  readonly url: string
  readonly token: string
  readonly id: string
  readonly slots?: number
  /** That many workers in this process, each with an id of its own. */
  readonly count?: number
  readonly ledger: string
  readonly extensions: readonly {
    readonly room?: string | readonly string[]
    readonly scope?: 'room' | 'global'
    readonly category: string
    readonly name: string
  }[]
}

interface Data {
  readonly do?: 'hold' | 'wait' | 'block' | 'talk' | 'fail' | 'fail-fatally'
  /** A file that ends a wait when it appears. */
  readonly until?: string
  readonly n?: number
}

/** What a worker prints and a test waits for. */
const says = { ready: 'ready', holds: 'holds', waits: 'waits', noConnection: 'disconnected' } as const

function extensionOf(
  definition: WorkerTask['extensions'][number],
  task: WorkerTask,
  id: string,
): Extension<Data> {
  return defineExtension<Data>({
    ...definition,
    schema: { type: 'object' },
    run: async (job) => {
      appendFileSync(task.ledger, `${job.id} ${job.room} ${definition.name} ${id}\n`)
      return perform(job, `${definition.category}/${definition.name}`)
    },
  })
}

async function perform(job: Job<Data>, extension: string): Promise<unknown> {
  switch (job.data.do) {
    case 'hold':
      return hold(job)
    case 'wait':
      console.log(`${says.waits} ${job.id}`)
      while (!existsSync(job.data.until ?? '')) await pause(20)
      break
    case 'block':
      await blocked(job)
      break
    case 'talk':
      job.log(`working on ${job.id}`)
      job.progress(0.5, 'half of it')
      break
    case 'fail':
      return failed('it did not work')
    case 'fail-fatally':
      return fatal('it never will')
    case undefined:
      break
  }
  return { extension, room: job.room, n: job.data.n ?? null }
}

/** It is told that the job runs, and then hears nothing until the file is there. */
async function blocked({ id, data }: Job<Data>): Promise<void> {
  await pause(1_000)
  console.log(`${says.waits} ${id}`)
  await pause(100)
  const never = new Int32Array(new SharedArrayBuffer(4))
  while (!existsSync(data.until ?? '')) Atomics.wait(never, 0, 0, 20)
}

/** Until it is told to stop. */
function hold({ id, signal }: Job<Data>): Promise<unknown> {
  console.log(`${says.holds} ${id}`)
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })
}

async function main(task: WorkerTask): Promise<void> {
  const { url, token, slots = 1, count = 1 } = task
  for (let n = 1; n <= count; n++) {
    const id = count === 1 ? task.id : `${task.id}-${n}`
    const extensions = task.extensions.map((one) => extensionOf(one, task, id))
    // On a machine that is busy with other tests a worker that tells its vitals would get no jobs.
    const worker = createWorker({ url, token, id, slots, extensions, vitals: false })
    worker.on('disconnected', () => console.log(says.noConnection))
    await worker.start()
  }
  console.log(says.ready)
}

const [given] = process.argv.slice(2)
if (given !== undefined) await main(JSON.parse(given) as WorkerTask)
