import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { makeTempDir } from '../process/temp-dir.ts'
import { PoolScene } from './pool-scene.ts'
import { all, module, tells } from './trouble-extensions.ts'

interface Told {
  readonly env: Record<string, string>
  readonly uid: number
  readonly gid: number
  readonly groups: readonly number[]
}

let scene: PoolScene

beforeAll(async () => {
  scene = await PoolScene.open()
})

afterEach(async () => {
  await scene.stopPools()
  expect(scene.faults).toEqual([])
})

afterAll(() => scene.close())

const isRoot = process.getuid?.() === 0

const told = async (): Promise<Told> => {
  const job = await scene.run(tells)
  expect(job).toMatchObject({ status: 'completed' })
  return job.result as Told
}

describe('a runner of a pool', () => {
  it('[O6] sees nothing of its environment but what it needs', async () => {
    process.env.MILLRACE_TOKEN = 'the token of the worker'
    process.env.REDIS_URL = 'redis://user:password@somewhere'
    process.env.NODE_OPTIONS = ''
    await scene.pool()
    const { env } = await told()
    const allowed =
      /^(?:PATH|HOME|TMPDIR|TZ|LANG|LANGUAGE|LC_\w+|NODE_ENV|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|MILLRACE_RUNNER)$/
    expect(Object.keys(env).filter((name) => !allowed.test(name))).toEqual([])
    expect(env).toHaveProperty('PATH')
  })
})

describe.runIf(isRoot)('a pool that root started', () => {
  it('[O14] has its jobs run as nobody, with a home of their own', async () => {
    await scene.pool()
    const { uid, gid, groups, env } = await told()
    expect({ uid, gid, groups }).toEqual({ uid: 65_534, gid: 65_534, groups: [65_534] })
    expect(env.HOME).toMatch(/\/millrace-runner-/)
    expect(env.TMPDIR).toBe(env.HOME)
    expect(scene.warnings).toEqual([])
  })

  it('[O14] warns and runs them as root where nobody cannot read the module', async () => {
    // A folder of this user alone.
    const own = join(await makeTempDir('unreadable'), 'own.mjs')
    await writeFile(own, `import ${JSON.stringify(module)}`)
    await scene.pool({ extensions: { all, module: own } })
    expect(await told()).toMatchObject({ uid: 0 })
    expect(scene.warnings.splice(0)).toEqual([
      expect.stringMatching(/^RUNNERS HAVE ALL THE RIGHTS OF THIS PROCESS, .* as user 65534: .*own\.mjs/),
    ])
  })

  it('[O14] does not start where the user it is told cannot read the module', async () => {
    const own = join(await makeTempDir('unreadable'), 'own.mjs')
    await writeFile(own, `import ${JSON.stringify(module)}`)
    const start = scene.pool({ extensions: { all, module: own }, user: { uid: 54_321, gid: 54_321 } })
    await expect(start).rejects.toThrow(/could not import .*own\.mjs/)
  })

  it('[O14] has them run as the user it is told, and as root only if it is told so', async () => {
    const first = await scene.pool({ user: { uid: 54_321, gid: 54_321 } })
    expect(await told()).toMatchObject({ uid: 54_321, gid: 54_321 })
    await first.stop()
    await scene.pool({ user: null })
    expect(await told()).toMatchObject({ uid: 0 })
  })
})
