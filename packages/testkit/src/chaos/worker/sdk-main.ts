// A worker of the SDK as a process of its own.

import { createWorker } from '@millrace/worker'
import { rest, work } from './chaos-extension.ts'

interface Task {
  readonly url: string
  readonly token: string
  readonly id: string
  readonly slots: number
}

const task = JSON.parse(process.argv[2] ?? '') as Task

// On a machine that is busy with other tests a worker that tells its vitals would get no jobs.
await createWorker({ ...task, extensions: [work, rest], vitals: false }).start()
console.log('ready')
