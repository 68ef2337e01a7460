import { describe, expect, it } from 'vitest'
import { lackOf, majorVersion, type Need, needs, suitesToLeaveOut, versionBanner } from './needs.ts'
import { closingLine, countTests } from './test-counts.ts'

const redis: Need = {
  command: 'redis-server',
  leastMajor: 7,
  suites: '**/*.redis.test.ts',
  debian: 'redis-server',
}

describe('what npm test needs beyond npm', () => {
  it.each([
    ['Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64', 7],
    ['Python 3.11.2', 3],
    ['Chromium 140.0.7339.80 built on Debian', 140],
    ['no number here', null],
  ])('[H16] reads the major version of "%s"', (banner, major) => {
    expect(majorVersion(banner)).toBe(major)
  })

  it.each([
    ['nothing at all', null, 'not found'],
    ['an old version', 'Redis server v=6.2.6', 'version 6, and 7 is needed'],
    ['a program that does not say', 'hello', 'its version could not be read'],
    ['the version that is needed', 'Redis server v=7.0.0', undefined],
    ['a newer one', 'Redis server v=8.2.1', undefined],
  ])('[H16] finding %s is judged', (_what, banner, reason) => {
    expect(lackOf(redis, banner)?.reason).toBe(reason)
  })

  it('[H16] a program that is there but cannot do what is needed counts as not found', () => {
    const node: Need = { ...redis, command: process.execPath, asked: ['-e', 'console.log("8.0")'] }
    expect(versionBanner(node)).toContain('8.0')
    expect(versionBanner({ ...node, asked: ['-e', 'process.exit(1)'] })).toBeNull()
    expect(versionBanner({ ...node, command: 'no-such-program-anywhere' })).toBeNull()
  })

  it('[H16] only the suites that need a missing program are left out', () => {
    expect(suitesToLeaveOut(undefined)).toEqual([])
    expect(suitesToLeaveOut('')).toEqual([])
    expect(suitesToLeaveOut('redis-server')).toEqual(['**/*.redis.test.ts'])
    expect(() => suitesToLeaveOut('redis-sevrer')).toThrow('redis-sevrer')
    expect(needs.map((need) => need.command)).toContain('redis-server')
  })
})

describe('the closing line', () => {
  it.each([
    [{ passed: 3, failed: 0, skipped: 0 }, '3 passed, 0 failed'],
    [{ passed: 3, failed: 1, skipped: 2 }, '3 passed, 1 failed, 2 skipped'],
  ])('[H17] %o is said as "%s"', (counts, line) => {
    expect(closingLine(counts)).toBe(line)
  })

  it('[H17] a run in which nothing could start is not a run in which nothing failed', () => {
    expect(countTests([], 1)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })
})
