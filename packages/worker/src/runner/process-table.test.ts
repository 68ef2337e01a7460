import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import {
  descendantsOf,
  hasProcessTable,
  isAlive,
  killAll,
  memoryOf,
  processNamed,
  tracesOfChildren,
} from './process-table.ts'

const children: ChildProcess[] = []

/** A shell that has a child of its own by the time it says so. */
function start(): ChildProcessByStdio<null, Readable, null> {
  const child = spawn('/bin/sh', ['-c', 'sleep 1000 & echo ready; wait'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  children.push(child)
  return child
}

afterEach(() => {
  for (const child of children.splice(0)) {
    killAll(descendantsOf(child.pid ?? 0))
    child.kill('SIGKILL')
  }
})

describe.runIf(hasProcessTable)('the table of processes', () => {
  it('[O3] knows what descends from a process', async () => {
    const child = start()
    await once(child.stdout, 'data')
    const pid = child.pid ?? 0
    expect(descendantsOf(process.pid).map((each) => each.pid)).toContain(pid)
    const [grandchild, ...others] = descendantsOf(pid)
    expect(others).toEqual([])
    expect(memoryOf(grandchild?.pid ?? 0)).toBeGreaterThan(0)
    killAll(grandchild ? [grandchild] : [])
    await once(child, 'exit')
    expect(grandchild && isAlive(grandchild)).toBe(false)
  })

  it('[O4] a process that has taken over the id of another is left alone', async () => {
    const child = start()
    await once(child.stdout, 'data')
    const name = processNamed(child.pid ?? 0)
    expect(name).not.toBeNull()
    if (!name) return
    const earlier = { pid: name.pid, startedAt: name.startedAt - 1 }
    expect(isAlive(earlier)).toBe(false)
    killAll([earlier])
    expect(isAlive(name)).toBe(true)
  })

  it('[O3] a child that is gone has left a trace', async () => {
    const before = tracesOfChildren(process.pid)
    await once(spawn('/bin/true'), 'exit')
    expect(tracesOfChildren(process.pid)).toBeGreaterThan(before)
  })
})
