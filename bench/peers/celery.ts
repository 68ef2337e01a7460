// Celery on Redis: one worker process with the settings that suit no-op tasks best, and one publisher. It comes from PyPI
// into a virtual environment that is kept; where Python is missing the figure is left out, and that is said.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type ChildLines, startChild } from '@millrace/testkit'
import { type Measured, measure } from '../measure.ts'
import type { RedisAddress } from './bullmq.ts'

const run = promisify(execFile)
const here = fileURLToPath(new URL('.', import.meta.url))
const environment = fileURLToPath(new URL('../../node_modules/.cache/millrace-bench-celery', import.meta.url))
const packages = ['celery[redis]==5.7.0']

/** Measured on two cores: the solo pool does a tenth less with tasks that do nothing, prefork a third less. */
const workerArgs = [
  '--pool=threads',
  '--concurrency=8',
  '--loglevel=ERROR',
  '--without-gossip',
  '--without-mingle',
  '--without-heartbeat',
]

export class CeleryPeer {
  readonly #worker: ChildLines
  readonly #redis: RedisAddress
  #runs = 0

  private constructor(worker: ChildLines, redis: RedisAddress) {
    this.#worker = worker
    this.#redis = redis
  }

  /** Null where it cannot be had. */
  static async start(redis: RedisAddress, report: (line: string) => void): Promise<CeleryPeer | null> {
    try {
      await install()
    } catch (fault) {
      report(`CELERY IS LEFT OUT: it could not be installed from PyPI (${firstLine(fault)})`)
      return null
    }
    const args = ['-A', 'celery_app', 'worker', ...workerArgs]
    const worker = startChild(`${environment}/bin/celery`, args, variables(redis))
    await worker.line((line) => line.includes('celery bench worker is ready'))
    return new CeleryPeer(worker, redis)
  }

  /** No-op tasks published one after another over one connection, and run. Both ends say when, by the same clock. */
  async lifecycles(count: number): Promise<Measured> {
    this.#runs += 1
    const name = `run ${this.#runs} finished at `
    let seconds = Number.NaN
    const pids = { worker: this.#worker.pid }
    const measured = await measure(count, { pids, redis: this.#redis }, async () => {
      const published = await run(
        `${environment}/bin/python`,
        ['celery_app.py', `${count}`, `${this.#runs}`],
        {
          cwd: here,
          env: { ...process.env, ...variables(this.#redis) },
        },
      )
      const finished = await this.#worker.line((line) => line.startsWith(name))
      seconds = Number(finished.slice(name.length)) - Number(published.stdout)
    })
    return { ...measured, perSecond: count / seconds }
  }

  async stop(): Promise<void> {
    await this.#worker.kill()
  }
}

async function install(): Promise<void> {
  if (existsSync(`${environment}/installed`)) return
  await run('python3', ['-m', 'venv', environment])
  await run(`${environment}/bin/pip`, ['install', '--quiet', ...packages])
  await writeFile(`${environment}/installed`, packages.join('\n'))
}

function variables({ host, port }: RedisAddress): Record<string, string> {
  return { BENCH_BROKER: `redis://${host}:${port}/1`, PYTHONPATH: here, PYTHONDONTWRITEBYTECODE: '1' }
}

function firstLine(fault: unknown): string {
  return String(fault instanceof Error ? fault.message : fault).split('\n')[0] ?? ''
}
