import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { CommandProcess, millrace } from './command-process.ts'
import { type DevScene, startDev } from './dev-scene.ts'
import { gone, kill } from './process-family.ts'

const patienceMs = 120_000

let scene: DevScene | null = null

afterEach(async () => {
  const family = scene?.dev.family() ?? []
  kill(family)
  await gone(family)
  scene = null
})

async function dev(...args: Parameters<typeof startDev>): Promise<DevScene> {
  scene = await startDev(...args)
  return scene
}

/** A job that runs far longer than any test, in a runner of the pool. */
async function submitLongJob({ millrace }: DevScene): Promise<void> {
  const submitted = await millrace('submit', 'LorenzAttractor', '--set', 'steps=20000000000', '--json')
  expect(submitted.err).toBe('')
  const { id } = JSON.parse(submitted.out) as { id: string }
  for (let status = ''; status !== 'running'; ) {
    status = (JSON.parse((await millrace('jobs', 'get', id, '--json')).out) as { status: string }).status
  }
}

describe('millrace dev', { timeout: patienceMs }, () => {
  it('[N40] brings up a server, its pool, a room and a profile, and says so; what it tells to try works', async () => {
    const { dev: process, url, folder, millrace } = await dev()
    const banner = process.lines.join('\n')
    expect(banner).toContain(join(folder, 'data'))
    expect(banner).toContain('Every answered change is synced to disk')
    expect(banner).toMatch(/room +lab/)
    expect(banner).toContain('analysis/Histogram, analysis/MonteCarloPi, analysis/LorenzAttractor')

    const tried = (await process.line('npx millrace submit')).trim().split(' ').slice(2)
    const { code, out } = await millrace(...tried, '--json')
    expect(code).toBe(0)
    expect(out).toContain('"estimate"')

    const link = /http:\S+\/login\?code=[^\s']+/.exec(banner)?.[0] ?? ''
    const signedIn = await millrace('login', link, '--profile', 'other', '--json')
    expect(JSON.parse(signedIn.out)).toMatchObject({ url, user: 'admin', role: 'admin', room: 'lab' })
    const guest = await millrace('login', '--guest', '--url', url, '--profile', 'guest', '--json')
    expect(JSON.parse(guest.out)).toMatchObject({ role: 'guest', room: 'lab' })
    expect((await millrace('login', link, '--profile', 'again')).code).not.toBe(0)
  })

  it('[N41] by npm start it is ready with less than ten seconds of work, its install aside', async () => {
    const { dev: npm } = await dev([], 'npm')
    const worked = npm.family().reduce((sum, { cpuMs }) => sum + cpuMs, 0)
    expect(npm.member('main.ts pool').command).not.toBe('')
    expect(worked).toBeGreaterThan(0)
    expect(worked).toBeLessThan(10_000)
  })

  it('[N42] Ctrl-C, which reaches npm and the server, ends everything in order', async () => {
    const { dev: npm } = await dev([], 'npm')
    const family = npm.family()
    npm.signalGroup('SIGINT')
    await gone(family)
    // By then its last lines have been read; that the processes are gone says nothing about that.
    await npm.exit
    expect(npm.lines.slice(-2)).toEqual(['Stopping. Ctrl-C again does not wait.', 'Stopped.'])
  })

  it.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
    '[N42] %s to npm alone ends everything too',
    async (signal) => {
      const { dev: npm } = await dev([], 'npm')
      const family = npm.family()
      npm.signal(signal)
      await gone(family)
    },
  )

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '[N42] %s ends it with 0 when a job runs',
    async (signal) => {
      const scene = await dev()
      await submitLongJob(scene)
      const family = scene.dev.family()
      scene.dev.signal(signal)
      expect(await scene.dev.exit).toBe(0)
      await gone(family)
    },
  )

  it('[N43] a second signal does not wait for the job, and leaves nothing behind', async () => {
    const scene = await dev()
    await submitLongJob(scene)
    const family = scene.dev.family()
    await scene.dev.signalUntilEnded('SIGINT')
    expect(await scene.dev.exit).toBe(130)
    await gone(family)
  })

  it('[N44] killed with -9 it takes its pool along, with the job that runs', async () => {
    const scene = await dev()
    await submitLongJob(scene)
    const family = scene.dev.family()
    expect(family.length).toBeGreaterThan(2)
    scene.dev.signal('SIGKILL')
    await gone(family)
  })

  it('[N45] a pool that dies is started again, and serves', async () => {
    const { dev: process, millrace } = await dev()
    const pool = process.member('main.ts pool')
    globalThis.process.kill(pool.pid, 'SIGKILL')
    await gone([pool])
    await process.line('the pool ended (SIGKILL)')
    const { code } = await millrace('submit', 'MonteCarloPi', '--set', 'samples=1000', '--follow')
    expect(code).toBe(0)
    expect(process.member('main.ts pool').pid).not.toBe(pool.pid)
  })

  it('[N46] the credential of its pool is in no environment and on no command line', async () => {
    const { dev: process, millrace } = await dev()
    expect((await millrace('submit', 'MonteCarloPi', '--set', 'samples=1000', '--follow')).code).toBe(0)
    for (const { pid, command } of process.family()) {
      // A signed token begins like this, whoever it is for.
      expect(command).not.toContain('eyJ')
      expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('eyJ')
    }
  })

  it('[N47] a port that is taken is said, and the next one is used', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', () => resolve()))
    const { port } = taken.address() as { port: number }
    const { dev: process, url } = await dev(['--port', String(port)])
    expect(await process.line('is taken')).toMatch(`millrace: port ${port} is taken, so it is `)
    expect(Number(new URL(url).port)).toBeGreaterThan(port)
    taken.close()
  })

  it('[N47] a folder that another server keeps its data in is refused in words', async () => {
    const { place, url } = await dev()
    const second = new CommandProcess(process.execPath, [millrace, 'dev'], place)
    expect(await second.exit).toBe(2)
    expect(second.lines.join('\n')).toContain(`It runs at ${url} (profile dev).`)
    expect(second.lines.join('\n')).toContain('--data-dir <folder>')
  })

  it('[N58] a second one leaves the profile of the first alone, and gives back what it took when it stops', async () => {
    const { place, url, folder, millrace: run } = await dev()
    const where = async (): Promise<unknown> => JSON.parse((await run('whoami', '--json')).out)
    const args = ['dev', '--json', '--data-dir', join(folder, 'second')]
    const second = new CommandProcess(process.execPath, [millrace, ...args], place)
    const profile = /"(?<name>dev-\d+)"/.exec(await second.line('"profile"'))?.groups?.name
    await second.line('"loginLink"')
    expect(await where()).toMatchObject({ profile, tokenFrom: `profile ${profile}`, means: 'lab' })
    expect(JSON.parse((await run('whoami', '--profile', 'dev', '--json')).out)).toMatchObject({ url })
    second.signal('SIGINT')
    expect(await second.exit).toBe(0)
    expect(await where()).toMatchObject({ profile: 'dev', url })
    expect((await run('profiles', 'ls')).out).not.toContain('dev-')
  })
})
