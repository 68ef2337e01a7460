import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { dropProfile, keepProfile, readProfiles } from './profile.ts'
import { findTarget, parseUrl } from './target.ts'

const folder = mkdtempSync(join(tmpdir(), 'millrace-target-'))
afterAll(() => rmSync(folder, { recursive: true }))
const env = { MILLRACE_PROFILES: join(folder, 'deep', 'profiles.json') }
keepProfile(env, 'far', { url: 'https://far.example.org/', token: 'far-token', room: 'far-room' })
keepProfile(env, 'dev', { url: 'http://127.0.0.1:7717', token: 'dev-token', room: 'lab' })

describe('the server that is meant', () => {
  it('[N10] is that of a flag before a variable before the profile before the default', () => {
    const url = (flags: object, variables: object): string => findTarget(flags, { ...env, ...variables }).url
    expect(url({ url: 'http://a' }, { MILLRACE_URL: 'http://b' })).toBe('http://a')
    expect(url({ profile: 'far' }, { MILLRACE_URL: 'http://b' })).toBe('http://b')
    expect(url({ profile: 'far' }, { MILLRACE_PROFILE: 'dev' })).toBe('https://far.example.org')
    expect(url({}, { MILLRACE_PROFILE: 'far' })).toBe('https://far.example.org')
    expect(url({}, { MILLRACE_URL: '', MILLRACE_PROFILE: '' })).toBe('http://127.0.0.1:7717')
    expect(findTarget({}, { MILLRACE_PROFILES: join(folder, 'none') })).toMatchObject({
      url: 'http://127.0.0.1:7717',
      token: null,
      from: 'the default',
    })
  })

  it('[N10] a token and a room are used for the server that gave them and for no other', () => {
    expect(findTarget({}, env)).toMatchObject({ token: 'dev-token', room: 'lab', profile: 'dev' })
    expect(findTarget({ url: 'http://evil.example.org' }, env)).toMatchObject({ token: null, room: null })
    expect(findTarget({ url: '127.0.0.1:7717/' }, env)).toMatchObject({ token: 'dev-token' })
    expect(findTarget({ url: 'http://b', room: 'x' }, { ...env, MILLRACE_TOKEN: 't' })).toMatchObject({
      token: 't',
      room: 'x',
      profile: null,
    })
  })

  it('[N10] a profile that nobody kept is refused with those that are there', () => {
    expect(() => findTarget({ profile: 'deev' }, env)).toThrow("no profile 'deev'")
    expect(() => findTarget({ profile: '__proto__' }, env)).toThrow('no profile')
  })

  it('[N10] an address is a host with a port, or whole', () => {
    expect(parseUrl('localhost:80/mill/')).toBe('http://localhost/mill')
    for (const text of ['ftp://x', 'http://', '::']) expect(() => parseUrl(text)).toThrow('no address')
  })
})

describe('profiles', () => {
  it('[N11] are in a file that nobody else can read, and the last one kept counts', () => {
    expect(statSync(env.MILLRACE_PROFILES).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'deep')).mode & 0o777).toBe(0o700)
    expect(readProfiles(env).current).toBe('dev')
  })

  it('[N11] one that is forgotten is gone from the file, and none counts in its place', () => {
    const other = { MILLRACE_PROFILES: join(folder, 'other.json') }
    keepProfile(other, 'a', { url: 'http://a', token: 'secret-a' })
    dropProfile(other, 'a')
    expect(readFileSync(other.MILLRACE_PROFILES, 'utf8')).not.toContain('secret-a')
    expect(readProfiles(other)).toEqual({ current: null, profiles: {} })
  })

  it('[N3] a file that cannot be read is named with what to do', () => {
    const broken = { MILLRACE_PROFILES: join(folder, 'broken.json') }
    writeFileSync(broken.MILLRACE_PROFILES, '{')
    expect(() => readProfiles(broken)).toThrow('broken.json cannot be read')
  })
})
