// A worker as a process of its own, whose job ends when the process is told so by SIGUSR2.

import { once } from 'node:events'
import { createWorker, defineExtension } from '@millrace/worker'

const [, , url = '', token = ''] = process.argv

const patient = defineExtension({
  category: 'modifiers',
  name: 'Patient',
  room: 'lab',
  schema: { type: 'object' },
  run: async () => {
    console.log('began')
    await once(process, 'SIGUSR2')
    return 'patience'
  },
})

// Without a handler of its own from the beginning, the signal would end the process.
process.on('SIGUSR2', () => undefined)
await createWorker({ url, token, extensions: [patient], vitals: false }).start()
