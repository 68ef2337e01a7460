import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CgroupHome } from './runner-cgroup.ts'

// A folder with the files of a control group: what is written is seen, what the kernel would do about it is not.
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-cgroup-'))
  writeFileSync(join(folder, 'cgroup.controllers'), 'cpu memory pids\n')
  writeFileSync(join(folder, 'cgroup.subtree_control'), 'cpu memory\n')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const limits = { memoryMb: 100, cpus: 1.5 }

describe('a control group for runners', () => {
  it('[O15] gets the limits, with room for an empty runner, and takes the process', () => {
    const group = CgroupHome.open(folder, limits)?.make()
    const text = (name: string): string =>
      readFileSync(join(folder, `millrace-${process.pid}-1`, name), 'utf8')
    expect(text('memory.max')).toBe(String((100 + 64) * 1024 * 1024))
    expect(text('memory.oom.group')).toBe('1')
    expect(text('cpu.max')).toBe('150000 100000')
    expect(group?.enter(4_711)).toBe(true)
    expect(text('cgroup.procs')).toBe('4711')
    group?.kill()
    expect(text('cgroup.kill')).toBe('1')
  })

  it('[O15] tells that the kernel ended something in it for its memory', () => {
    const group = CgroupHome.open(folder, limits)?.make()
    const events = join(folder, `millrace-${process.pid}-1`, 'memory.events')
    writeFileSync(events, 'oom 0\noom_kill 0\n')
    expect(group?.ranOutOfMemory).toBe(false)
    writeFileSync(events, 'oom 1\noom_kill 2\n')
    expect(group?.ranOutOfMemory).toBe(true)
  })

  it('[O15] groups of workers that are no more are ended, others are not', () => {
    const killed = (name: string): boolean => existsSync(join(folder, name, 'cgroup.kill'))
    const [dead, alive] = ['millrace-999999999-1', `millrace-${process.pid}-7`] as const
    for (const each of [dead, alive]) mkdirSync(join(folder, each))
    CgroupHome.open(folder, limits)
    expect([killed(dead), killed(alive)]).toEqual([true, false])
  })

  it('[O15] is not used where memory is not ours to divide', () => {
    writeFileSync(join(folder, 'cgroup.controllers'), 'hugetlb\n')
    expect(CgroupHome.open(folder, limits)).toBeNull()
    expect(CgroupHome.open(join(folder, 'none'), limits)).toBeNull()
  })
})
