// A worker process with the SDK for a server of the bench.

import { Forked } from '../forked.ts'
import type { BenchServer } from './bench-server.ts'
import type { WorkerSetup } from './worker-main.ts'

/** Without a room its extension is global. */
export function startBenchWorker({ url, token }: BenchServer, slots: number, room?: string): Promise<Forked> {
  const setup: WorkerSetup = { url, token, slots, ...(room !== undefined && { room }) }
  return Forked.start(new URL('./worker-main.ts', import.meta.url), setup)
}
