// Starts workers as processes of their own, and reads the ledger of what they ran.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ChildLines, startChild } from '../../process/child-process.ts'
import { makeTempDir } from '../../process/temp-dir.ts'
import type { WorkerTask } from './worker-main.ts'

const main = fileURLToPath(new URL('./worker-main.ts', import.meta.url))

export async function startWorkerProcess(task: WorkerTask): Promise<ChildLines> {
  const child = startChild(process.execPath, ['--no-warnings', main, JSON.stringify(task)])
  await child.line((line) => line === 'ready')
  return child
}

export interface LedgerEntry {
  readonly job: string
  readonly room: string
  readonly extension: string
  readonly worker: string
}

export class Ledger {
  readonly file: string

  private constructor(file: string) {
    this.file = file
  }

  static async open(): Promise<Ledger> {
    const file = join(await makeTempDir('ledger'), 'runs')
    writeFileSync(file, '')
    return new Ledger(file)
  }

  entries(): readonly LedgerEntry[] {
    const lines = readFileSync(this.file, 'utf8').split('\n')
    return lines
      .filter((line) => line !== '')
      .map((line) => {
        const [job = '', room = '', extension = '', worker = ''] = line.split(' ')
        return { job, room, extension, worker }
      })
  }

  jobs(): readonly string[] {
    return this.entries().map(({ job }) => job)
  }
}
