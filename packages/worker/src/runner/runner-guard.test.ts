import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { descendantsOf, hasProcessTable } from './process-table.ts'
import { RunnerGuard } from './runner-guard.ts'

const mark = `${randomUUID()}.`
const strays: ChildProcess[] = []

/** It runs in a session of its own by the time it says so. */
async function stray(carried: string): Promise<{ pid: number; gone: Promise<unknown> }> {
  const child = spawn('/bin/sh', ['-c', 'echo ready; exec sleep 1000'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH ?? '', MILLRACE_RUNNER: carried },
  })
  strays.push(child)
  const gone = once(child, 'exit')
  await once(child.stdout, 'data')
  return { pid: child.pid ?? 0, gone }
}

const isThere = (pid: number): boolean => descendantsOf(process.pid).some((each) => each.pid === pid)

afterEach(() => {
  for (const each of strays.splice(0)) each.kill('SIGKILL')
})

describe.runIf(hasProcessTable)('the guard of runners', () => {
  it('[O3] ends everything with a mark but what is to be spared, and nothing with another', async () => {
    const guard = new RunnerGuard(mark, null, null, () => undefined)
    const [first, second, other] = [
      await stray(`${mark}1.`),
      await stray(`${mark}1.`),
      await stray(`${mark}11.`),
    ]
    await guard.sweep(`${mark}1.`, [second.pid])
    await first.gone
    expect([second, other].map(({ pid }) => isThere(pid))).toEqual([true, true])
    await guard.sweep(`${mark}1.`)
    await second.gone
    expect(isThere(other.pid)).toBe(true)
    await guard.close()
    await other.gone
  })

  it('[O10] ends everything and removes the home when its worker is gone', async () => {
    const home = mkdtempSync(join(tmpdir(), 'millrace-guard-'))
    const guard = new RunnerGuard(mark, null, home, () => undefined)
    const { gone } = await stray(`${mark}1.`)
    await guard.close()
    await gone
    expect(existsSync(home)).toBe(false)
  })

  it('[O10] a guard that somebody ended is replaced', async () => {
    const before = new Set(descendantsOf(process.pid).map(({ pid }) => pid))
    const guard = new RunnerGuard(mark, null, null, () => undefined)
    const [own] = descendantsOf(process.pid).filter(({ pid }) => !before.has(pid))
    process.kill(own?.pid ?? 0, 'SIGKILL')
    // Its death answers what was asked of it; then the next one is asked.
    await guard.sweep(mark)
    const { gone } = await stray(`${mark}1.`)
    await guard.sweep(mark)
    await gone
    await guard.close()
  })
})
