import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { absentFrom, completeLock, type LockFile } from './lock-file.ts'

const lock: LockFile = {
  packages: {
    '': {},
    'node_modules/tool': {
      version: '2.0.0',
      dev: true,
      optionalDependencies: {
        '@tool/cli-linux-x64': '2.0.0',
        '@tool/cli-linux-arm64-musl': '2.0.0',
        '@tool/binding-win32-ia32-msvc': '2.0.0',
        '@tool/binding-wasm32-wasi': '2.0.0',
      },
    },
    'node_modules/@tool/cli-linux-x64': { version: '2.0.0', optional: true, os: ['linux'], cpu: ['x64'] },
  },
}

describe('the lock file', () => {
  it('[H18] names every optional package, as it is', () => {
    const ours = JSON.parse(
      readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
    ) as LockFile
    expect(Object.keys(ours.packages).length).toBeGreaterThan(50)
    expect(absentFrom(ours)).toEqual([])
  })

  it('[H18] a package of another platform that was left out is found and put in', () => {
    expect(absentFrom(lock)).toHaveLength(3)
    const { packages } = completeLock(lock)
    expect(absentFrom({ packages })).toEqual([])
    expect(packages['node_modules/@tool/cli-linux-arm64-musl']).toEqual({
      version: '2.0.0',
      cpu: ['arm64'],
      dev: true,
      libc: ['musl'],
      optional: true,
      os: ['linux'],
    })
    expect(packages['node_modules/@tool/binding-win32-ia32-msvc']).toMatchObject({
      os: ['win32'],
      cpu: ['ia32'],
    })
    expect(packages['node_modules/@tool/binding-wasm32-wasi']).toMatchObject({ cpu: ['wasm32'] })
    expect(packages['node_modules/@tool/cli-linux-x64']).toBe(
      lock.packages['node_modules/@tool/cli-linux-x64'],
    )
  })

  it('[H18] a package whose platform its name does not tell is not guessed', () => {
    const odd = { packages: { 'node_modules/tool': { optionalDependencies: { fsevents: '2.3.3' } } } }
    expect(() => completeLock(odd)).toThrow('fsevents')
  })
})
