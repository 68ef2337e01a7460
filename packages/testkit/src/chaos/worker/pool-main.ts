// A pool as a process of its own, with the extensions of the storm in the place of the built-in ones.

import { startPool } from '@millrace/pool'
import { isolated, work } from './chaos-extension.ts'

interface Task {
  readonly url: string
  readonly token: string
  readonly id: string
  readonly slots: number
}

const task = JSON.parse(process.argv[2] ?? '') as Task

await startPool({
  ...task,
  extensions: { all: [work, isolated], module: new URL('./chaos-extension.ts', import.meta.url).href },
  // Runners write to the ledger, which belongs to whoever started the storm.
  user: null,
  vitals: false,
})
console.log('ready')
