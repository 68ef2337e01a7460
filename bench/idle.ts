// What a thousand connected workers cost a server that has nothing for them to do: resident memory for each, and CPU
// time for their beats.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench, Figures } from './bench.ts'
import { cpuTimes, rssKb } from './cpu-time.ts'
import { median } from './figures.ts'
import { Forked } from './forked.ts'
import { type BenchServer, makeRoom, startBenchServer } from './millrace/bench-server.ts'

const workers = 1_000
const idleSeconds = 30

export const bench: Bench = {
  name: 'idle',
  async run(report): Promise<Figures> {
    const server = await startBenchServer(null, ['--registrations-per-minute', '100000'])
    await makeRoom(server, 'bench')
    const { url, token, pid } = server
    const file = new URL('./millrace/crowd-main.ts', import.meta.url)
    // A first crowd brings what any crowd needs once: compiled code, caches, a heap that has grown.
    const first = await Forked.start(file, { url, token, room: 'bench', workers: 20, name: 'first' })
    await sleep(10_000)
    const before = await restingRss(pid)
    const heapBefore = await heapMb(server)
    const began = performance.now()
    const crowd = await Forked.start(file, { url, token, room: 'bench', workers, name: 'crowd' })
    report(`${workers} workers registered in ${Math.round(performance.now() - began)} ms`)
    await sleep(10_000)
    const cpuBefore = usedMs(pid)
    await sleep(idleSeconds * 1_000)
    const cpuShare = (usedMs(pid) - cpuBefore) / (idleSeconds * 1_000)
    const after = await restingRss(pid)
    report(`resident: ${Math.round(before / 1_000)} MB before, ${Math.round(after / 1_000)} MB with them`)
    report(`of it used on the heap: ${heapBefore} MB before, ${await heapMb(server)} MB with them`)
    const { workers: seen } = await server.api.expect<{ workers: { presence: string }[] }>(
      200,
      'GET',
      '/api/workers',
    )
    const connected = seen.filter(({ presence }) => presence === 'connected').length
    report(`${connected} workers are connected at the end`)
    if (connected < workers) throw new Error(`only ${connected} workers are still connected`)
    await crowd.stop()
    await first.stop()
    await server.stop()
    return { kb_per_worker: (after - before) / workers, cpu_share: cpuShare }
  },
}

/** Collections make it go up and down; the middle of ten seconds is what stays. */
async function restingRss(pid: number): Promise<number> {
  const seen: number[] = []
  for (let look = 0; look < 20; look++) {
    await sleep(500)
    seen.push(rssKb(pid))
  }
  return median(seen)
}

/** With the garbage of the moment: an upper bound of what is kept. */
async function heapMb({ api }: BenchServer): Promise<number> {
  const { body } = await api.call<string>('GET', '/metrics')
  const sum = (name: string): number =>
    Number(new RegExp(`^${name} ([\\d.e+]+)`, 'm').exec(body)?.[1] ?? Number.NaN)
  return Math.round((sum('nodejs_heap_size_used_bytes') + sum('nodejs_external_memory_bytes')) / 1_000_000)
}

function usedMs(pid: number): number {
  return Object.values(cpuTimes(pid)).reduce((sum, ms) => sum + ms, 0)
}
