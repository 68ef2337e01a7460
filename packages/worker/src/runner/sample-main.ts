// For tests: a worker's main script as its runners import it. It starts a worker, which in a runner does nothing; at this
// address it would wait for ever.

import { createWorker } from '../worker/create-worker.ts'
import { samples } from './sample-extensions.ts'

await createWorker({ url: 'http://127.0.0.1:1', extensions: Object.values(samples), id: 'sample' }).start()
