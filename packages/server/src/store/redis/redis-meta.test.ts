import { describe, expect, it } from 'vitest'
import { checkVersion, RedisUnfit } from './redis-meta.ts'

const info = (version: string): string => `# Server\r\nredis_version:${version}\r\nredis_mode:standalone\r\n`

describe('the version of a Redis', () => {
  it.each(['7.0.0', '7.4.2', '8.0.1', '10.0.0'])('[S54] %s is new enough', (version) => {
    expect(() => checkVersion(info(version))).not.toThrow()
  })

  it.each([
    [info('6.2.14'), '6.2.14'],
    [info('unstable'), 'unstable'],
    [info(''), 'does not say its version'],
    ['# Server\r\n', 'does not say its version'],
  ])('[S54] %j is refused with what was found', (text, found) => {
    expect(() => checkVersion(text)).toThrow(RedisUnfit)
    expect(() => checkVersion(text)).toThrow(found)
  })
})
