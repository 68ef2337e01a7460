import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeTempDir } from '../process/temp-dir.ts'
import { RedisProcess } from '../redis/redis-process.ts'
import { CommandProcess, millrace, runMillrace } from './command-process.ts'
import { connectedPools, devEnvironment } from './dev-scene.ts'
import { gone } from './process-family.ts'

interface Kept {
  readonly profiles: { readonly one: { readonly token: string } }
}

it('[N48] several of them on one Redis are one Millrace, each with its pool', {
  timeout: 120_000,
}, async () => {
  const redis = await RedisProcess.start()
  const cwd = await makeTempDir('replicas')
  const env = {
    ...devEnvironment(cwd),
    MILLRACE_REDIS_URL: `redis://${redis.host}:${redis.port}`,
    MILLRACE_POOL_SLOTS: '1',
  }
  const [one, two] = [0, 1].map(() => new CommandProcess(process.execPath, [millrace, 'start'], { cwd, env }))
  if (!one || !two) throw new Error('two were started')
  const link = /'(?<link>http.+)'/.exec(await one.line('npx millrace login'))?.groups?.link ?? ''
  const other = /http:\/\/[\w.:]+/.exec(await two.line('http://'))?.[0] ?? ''
  expect((await runMillrace(['login', link, '--profile', 'one'], { cwd, env })).code).toBe(0)
  expect((await runMillrace(['rooms', 'create', 'lab'], { cwd, env })).code).toBe(0)

  // What one made the other knows, also who is signed in.
  const kept = JSON.parse(readFileSync(join(cwd, 'profiles.json'), 'utf8')) as Kept
  const there = { ...env, MILLRACE_URL: other, MILLRACE_TOKEN: kept.profiles.one.token }
  expect((await runMillrace(['rooms', 'get', 'lab'], { cwd, env: there })).code).toBe(0)
  while ((await connectedPools({ cwd, env: there })) < 2);

  const family = [...one.family(), ...two.family()]
  for (const each of [one, two]) each.signal('SIGTERM')
  expect([await one.exit, await two.exit]).toEqual([0, 0])
  await gone(family)
  await redis.stop()
})
