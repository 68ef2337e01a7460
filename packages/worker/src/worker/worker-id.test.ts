import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { baseId, claimWorkerId } from './worker-id.ts'

const offers = [{ room: 'lab', category: 'modifiers', name: 'Relax', schema: {} }]
const place = `a folder of this test ${process.pid}`

describe('the id of a worker', () => {
  it('[K22] is the same after a restart, and another for other extensions or another folder', () => {
    expect(baseId(offers, '/a')).toBe(baseId([...offers], '/a'))
    expect(baseId(offers, '/a')).not.toBe(baseId(offers, '/b'))
    expect(baseId(offers, '/a')).not.toBe(baseId([{ ...offers[0]!, name: 'Other' }], '/a'))
    expect(baseId(offers, '/a')).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/)
  })

  it('[K22] is held by one worker at a time, in one process', async () => {
    const first = await claimWorkerId(offers, place)
    const second = await claimWorkerId(offers, place)
    expect(second.id).toBe(`${first.id}-2`)
    first.release()
    const third = await claimWorkerId(offers, place)
    expect(third.id).toBe(first.id)
    second.release()
    third.release()
  })

  it('[K22] is held against another process, and free when that has ended without a word', async () => {
    const module = fileURLToPath(new URL('./worker-id.ts', import.meta.url))
    const claim = `const { claimWorkerId } = await import(${JSON.stringify(module)})
      console.log((await claimWorkerId(${JSON.stringify(offers)}, ${JSON.stringify(place)})).id)
      process.kill(process.pid, 'SIGKILL')`
    const inAnotherProcess = (): string => {
      try {
        return execFileSync(process.execPath, ['--input-type=module', '-e', claim], {
          encoding: 'utf8',
        }).trim()
      } catch (error) {
        return (error as { stdout: string }).stdout.trim()
      }
    }
    const mine = await claimWorkerId(offers, place)
    expect(inAnotherProcess()).toBe(`${mine.id}-2`)
    mine.release()
    expect(inAnotherProcess()).toBe(mine.id)
    expect(inAnotherProcess()).toBe(mine.id)
  })
})
