import { execFileSync } from 'node:child_process'
import type { ServerProcess } from '../server/server-process.ts'
import { describeFullStore } from './full-store-flow.ts'

/** A limit on the size of its files meets a process like a full disk does, and needs no disk of its own. */
function limitFiles({ child }: ServerProcess, bytes: string): void {
  execFileSync('prlimit', ['--pid', String(child.pid), `--fsize=${bytes}:unlimited`])
}

describeFullStore('SQLite', async () => ({
  place: [],
  take: async (server) => limitFiles(server, '3000000'),
  giveBack: async (server) => limitFiles(server, 'unlimited'),
}))
