// A quiet room in a process of its own, so that nothing an attacker computes stands in its way: a worker, and a job every
// few milliseconds whether or not those before it are done; one that waits would see a server that stands still once only.

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

/** On a machine that is too slow for a job every so often they must not pile up without end. */
const mostUnderWay = 50

const echo = defineExtension<{ n: number }>({
  category: 'canary',
  name: 'Echo',
  schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
  run: ({ data }) => data.n,
})

/** Which jobs were heard to be completed; a job may be before its submit is answered. */
class Ends {
  readonly #ended = new Set<string>()
  readonly #awaited = new Map<string, () => void>()

  add(id: string): void {
    this.#ended.add(id)
    this.#awaited.get(id)?.()
  }

  async of(id: string): Promise<void> {
    if (!this.#ended.has(id)) await new Promise<void>((resolve) => this.#awaited.set(id, resolve))
    this.#ended.delete(id)
    this.#awaited.delete(id)
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** The job's id. A server that has too much to do says when to come back, and is asked again then. */
async function submit({ url, token, room }: CanaryTask, n: number): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const body = JSON.stringify({ category: 'canary', extension: 'Echo', data: { n } })
  for (;;) {
    const reply = await fetch(`${url}/api/rooms/${room}/jobs`, { method: 'POST', headers, body })
    const text = await reply.text()
    if (reply.status === 201) return (JSON.parse(text) as { id: string }).id
    if (reply.status !== 503 || !text.includes('server_busy')) throw new Error(`${reply.status} ${text}`)
    await pause(1_000 * Number(reply.headers.get('retry-after') ?? 1))
  }
}

async function main(task: CanaryTask): Promise<void> {
  const { url, token, room, everyMs } = task
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

  let underWay = 0
  const one = async (n: number): Promise<void> => {
    underWay += 1
    console.log(`begun ${n}`)
    const begunAt = performance.now()
    try {
      await ends.of(await submit(task, n))
      console.log(`done ${n} ${(performance.now() - begunAt).toFixed(2)}`)
    } catch (fault) {
      console.log(`trouble: job ${n}: ${String(fault)}`)
    }
    underWay -= 1
  }
  for (let n = 0; ; ) {
    await pause(everyMs)
    if (underWay >= mostUnderWay) continue
    void one(n)
    n += 1
  }
}

const [given] = process.argv.slice(2)
if (given !== undefined) await main(JSON.parse(given) as CanaryTask)
