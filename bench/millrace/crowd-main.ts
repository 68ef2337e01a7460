// A process full of workers with the SDK that have nothing to do: each has a connection of its own and answers its beats.

import { createWorker, defineExtension } from '@millrace/worker'
import { serveParent, setupOfFork } from '../forked.ts'

interface CrowdSetup {
  readonly url: string
  readonly token: string
  readonly room: string
  readonly workers: number
  readonly name: string
}

const arriveAtOnce = 20

const { url, token, room, workers: count, name } = setupOfFork<CrowdSetup>()
const idle = defineExtension({ category: 'analysis', name: 'Idle', schema: {}, run: async () => null })
const workers = Array.from({ length: count }, (_, n) =>
  createWorker({
    url,
    token,
    room,
    id: `${name}-${n}`,
    extensions: [idle],
    handleSignals: false,
    logger: false,
  }),
)
for (let first = 0; first < count; first += arriveAtOnce)
  await Promise.all(workers.slice(first, first + arriveAtOnce).map((worker) => worker.start()))

serveParent(
  () => ({}),
  async () => process.exit(0),
)
