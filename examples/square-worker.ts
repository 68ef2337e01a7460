// A worker in ten lines. With a server running: `MILLRACE_TOKEN=… npm exec -- node examples/square-worker.ts`.

import { createWorker, defineExtension } from '@millrace/worker'

const square = defineExtension({
  category: 'modifiers',
  name: 'Square',
  room: 'lab',
  schema: { type: 'object', properties: { x: { type: 'number', default: 7 } } },
  run: ({ data, log }) => {
    log(`squaring ${data.x}`)
    return { square: data.x ** 2 }
  },
})

const { MILLRACE_URL: url = 'http://127.0.0.1:7717', MILLRACE_TOKEN: token = '' } = process.env
await createWorker({ url, token, extensions: [square], slots: 4 }).start()
