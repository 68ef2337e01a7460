// The worker of a soak: its jobs say how far they are, write lines, fail once or for good, or run until they are
// cancelled. With a planted leak it keeps all of them.

import { createWorker, defineExtension, fatal, type Job } from '@millrace/worker'

export interface SoakWorkerTask {
  readonly url: string
  readonly token: string
  readonly room: string
  readonly slots: number
  readonly leaks: boolean
}

export interface SoakData {
  readonly do: 'nothing' | 'talk' | 'fail-once' | 'fail' | 'hold'
  readonly text: string
}

/** The shortest that there is: what a job leaves behind is there for a minute after its end. */
const retentionMs = 60_000

const kept: Job<SoakData>[] = []

async function run(job: Job<SoakData>): Promise<unknown> {
  const { data, attempt, signal } = job
  if (data.do === 'fail') return fatal('it never will')
  if (data.do === 'fail-once' && attempt === 1) throw new Error('not this time')
  if (data.do === 'talk') {
    job.log(`working on ${job.id}`)
    for (const fraction of [0.25, 0.5, 0.75]) job.progress(fraction, data.text.slice(0, 20))
    job.log('done')
  }
  if (data.do === 'hold') {
    await new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })
  }
  return { length: data.text.length }
}

async function main({ url, token, room, slots, leaks }: SoakWorkerTask): Promise<void> {
  const soak = defineExtension<SoakData>({
    category: 'soak',
    name: 'Soak',
    room,
    schema: { type: 'object', required: ['do'] },
    policy: {
      job: {
        retentionMs,
        deadLetterRetentionMs: retentionMs,
        backoffBaseMs: 50,
        backoffCapMs: 200,
        maxAttempts: 3,
      },
    },
    run: (job) => {
      if (leaks) kept.push(job)
      return run(job)
    },
  })
  await createWorker({ url, token, id: 'soak-worker', extensions: [soak], slots, vitals: false }).start()
  console.log('ready')
}

const [given] = process.argv.slice(2)
if (given !== undefined) await main(JSON.parse(given) as SoakWorkerTask)
