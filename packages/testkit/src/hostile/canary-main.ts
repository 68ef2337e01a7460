// A quiet room in a process of its own, so that nothing an attacker computes stands in its way: a worker, a job every few
// milliseconds, and how long each took from submit to the word that it is done.

import { createWorker, defineExtension } from '@millrace/worker'
import { io } from 'socket.io-client'

export interface CanaryTask {
  readonly url: string
  readonly token: string
  readonly room: string
  readonly everyMs: number
}

interface StateChanged {
  readonly events: readonly { readonly id: string; readonly status: string }[]
}

const echo = defineExtension<{ n: number }>({
  category: 'canary',
  name: 'Echo',
  schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
  run: ({ data }) => data.n,
})

/** Which jobs were heard to be completed; a job may be before its submit is answered. */
class Ends {
  readonly #ended = new Set<string>()
  #wake: () => void = () => undefined

  add(id: string): void {
    this.#ended.add(id)
    this.#wake()
  }

  async of(id: string): Promise<void> {
    while (!this.#ended.delete(id)) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}

async function main({ url, token, room, everyMs }: CanaryTask): Promise<void> {
  const ends = new Ends()
  const socket = io(url, { auth: { token }, transports: ['websocket'] })
  socket.on('job:state_changed', ({ events }: StateChanged) => {
    for (const { id, status } of events) if (status === 'completed') ends.add(id)
  })
  socket.on('disconnect', (reason) => console.log(`trouble: disconnected, ${reason}`))
  await socket.emitWithAck('room:join', { room })
  const id = `canary-${process.pid}`
  const worker = createWorker({ url, token, room, id, extensions: [echo], vitals: false })
  worker.on('disconnected', ({ reason }) => console.log(`trouble: worker disconnected, ${reason}`))
  await worker.start()
  console.log(`worker ${id}`)

  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  for (let n = 0; ; n += 1) {
    const begun = performance.now()
    const body = JSON.stringify({ category: 'canary', extension: 'Echo', data: { n } })
    const reply = await fetch(`${url}/api/rooms/${room}/jobs`, { method: 'POST', headers, body })
    if (reply.status === 201) {
      const { id: job } = (await reply.json()) as { id: string }
      await ends.of(job)
      console.log(`job ${(performance.now() - begun).toFixed(2)}`)
    } else console.log(`trouble: ${reply.status} ${await reply.text()}`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}

const [given] = process.argv.slice(2)
if (given !== undefined) await main(JSON.parse(given) as CanaryTask)
