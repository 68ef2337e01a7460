// A pool as a process of its own, of the extensions that make trouble.

import { startPool } from '@millrace/pool'
import { all, module } from './trouble-extensions.ts'

const [, , url = '', token = ''] = process.argv

await startPool({
  url,
  token,
  id: 'pool-process',
  slots: 5,
  runnerMemoryMb: 96,
  vitals: false,
  extensions: { all, module },
})
console.log('ready')
