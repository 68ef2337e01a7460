import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { holdRefusedPort } from '../process/refused-port.ts'
import { makeTempDir } from '../process/temp-dir.ts'
import { NounCommand } from './noun-command.ts'
import { describeCases } from './noun-flow.ts'
import type { NounCase } from './noun-scene.ts'

/** Every command that asks a server, with words that are right. */
const asking: readonly (readonly string[])[] = [
  ['whoami'],
  ['login', 'a-code'],
  ['login', '--guest'],
  ['openapi'],
  ['submit', 'Relax'],
  ['submit', 'Relax', '--follow'],
  ['jobs', 'ls'],
  ['jobs', 'ls', '--all'],
  ['jobs', 'get', '3fa9c01b'],
  ['jobs', 'follow', '3fa9c01b'],
  ['jobs', 'logs', '3fa9c01b'],
  ['jobs', 'cancel', '3fa9c01b'],
  ['jobs', 'retry', '3fa9c01b'],
  ['why', '3fa9c01b'],
  ['extensions', 'ls'],
  ['extensions', 'get', 'Relax'],
  ['extensions', 'pause', 'Relax'],
  ['extensions', 'resume', 'Relax'],
  ['extensions', 'reset', 'Relax'],
  ['rooms', 'ls'],
  ['rooms', 'create', 'x'],
  ['rooms', 'get', 'lab'],
  ['rooms', 'use', 'lab'],
  ['rooms', 'access', 'lab', 'open'],
  ['rooms', 'limit', 'lab', '1'],
  ['rooms', 'weight', 'lab', '1'],
  ['rooms', 'members', 'ls', 'lab'],
  ['rooms', 'members', 'add', 'lab', 'alice'],
  ['rooms', 'members', 'rm', 'lab', 'alice'],
  ['users', 'ls'],
  ['users', 'create', 'alice'],
  ['users', 'role', 'alice', 'user'],
  ['users', 'password', 'alice'],
  ['users', 'rm', 'alice'],
  ['tokens', 'ls'],
  ['tokens', 'create'],
  ['tokens', 'revoke', 'an-id'],
  ['workers', 'ls'],
  ['workers', 'get', 'a-worker'],
  ['workers', 'drain', 'a-worker'],
  ['workers', 'undrain', 'a-worker'],
  ['workers', 'disconnect', 'a-worker'],
]

/** These take no credential: they are how one gets it, or open to all. */
const open = new Set(['login', 'openapi'])

interface ErrorText {
  readonly error: { readonly code: string; readonly message: string; readonly next?: string }
}

const errorOf = (err: string): ErrorText['error'] => (JSON.parse(err) as ErrorText).error

async function placeAt(url: string, token: string): Promise<Record<string, string>> {
  const folder = await makeTempDir('nouns-trouble')
  return {
    MILLRACE_PROFILES: join(folder, 'profiles.json'),
    MILLRACE_URL: url,
    MILLRACE_TOKEN: token,
    MILLRACE_ROOM: 'lab',
  }
}

const run = (args: readonly string[], env: Record<string, string>): NounCommand['ended'] =>
  new NounCommand(args, { env, stdin: 'a password for all\n' }).ended

describe('without a server', async () => {
  const { port, letGo } = await holdRefusedPort()
  afterAll(letGo)
  const url = `http://127.0.0.1:${port}`
  const env = await placeAt(url, 'a-token')

  it.concurrent.each(asking.map((args) => [args.join(' '), args] as const))(
    '[N5] millrace %s names the address, where it came from and what to do, and ends with 3',
    { timeout: 90_000 },
    async (_title, args) => {
      const { code, out, err } = await run([...args, '--json'], env)
      expect({ code, out }).toEqual({ code: 3, out: '' })
      expect(errorOf(err)).toMatchObject({
        code: 'unreachable',
        message: expect.stringContaining(`${url} (from MILLRACE_URL): ECONNREFUSED`),
        next: expect.stringContaining('millrace dev'),
      })
    },
  )

  it.concurrent('[N5] the same is said to people in two lines, and doctor ends with 1', {
    timeout: 90_000,
  }, async () => {
    const said = await run(['rooms', 'ls'], env)
    expect(said).toEqual({
      code: 3,
      out: '',
      err: `millrace: No Millrace server answers at ${url} (from MILLRACE_URL): ECONNREFUSED\n  Start one with \`millrace dev\`, or name another with --url or --profile.\n`,
    })
    const { code, out } = await run(['doctor', '--json'], env)
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      checks: [{ name: 'node' }, { name: 'server', verdict: 'fail' }],
    })
  })

  it.concurrent('[N103] a profile whose server does not answer is told with the others that there are', {
    timeout: 90_000,
  }, async () => {
    const place: Record<string, string> = { ...(await placeAt('', '')), npm_command: 'exec' }
    const [gone, dev] = [
      { url, token: 't' },
      { url: 'http://127.0.0.1:7717', token: 't' },
    ]
    const keep = (profiles: object): void =>
      writeFileSync(place.MILLRACE_PROFILES ?? '', JSON.stringify({ current: 'gone', profiles }))
    keep({ gone, dev })
    const { code, err } = await run(['rooms', 'ls'], place)
    expect(code).toBe(3)
    expect(err).toContain('(from profile gone)')
    expect(err).toContain('  There are other profiles: `npx millrace profiles use dev`.\n')
    expect((await run(['rooms', 'ls', '--url', url], place)).err).not.toContain('other profiles')
    keep({ gone })
    expect((await run(['rooms', 'ls'], place)).err).not.toContain('other profiles')
  })

  it.concurrent('[N11] logout forgets the profile although nobody revokes its token', {
    timeout: 90_000,
  }, async () => {
    const place = await placeAt('', '')
    const file = place.MILLRACE_PROFILES ?? ''
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, JSON.stringify({ current: 'gone', profiles: { gone: { url, token: 't' } } }))
    const { code, err } = await run(['logout'], place)
    expect(code).toBe(0)
    expect(err).toContain('could not be revoked')
    expect(JSON.parse((await run(['profiles', 'ls', '--json'], place)).out)).toEqual({ profiles: [] })
  })

  it.concurrent('[N27] Tab is answered with nothing, and not with an error', {
    timeout: 90_000,
  }, async () => {
    expect(await run(['__complete', '--', 'jobs', 'get', ''], env)).toEqual({ code: 0, out: '', err: '' })
  })

  it.concurrent('[N5] something else that listens there is told from a server of ours', {
    timeout: 90_000,
  }, async () => {
    const other = createServer((_request, reply) => reply.end('<html>')).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { code, err } = await run(['rooms', 'ls', '--json', '--url', `127.0.0.1:${port}`], env)
    other.close()
    expect(code).toBe(3)
    expect(errorOf(err)).toMatchObject({ code: 'not_millrace' })
  })
})

const cases: readonly NounCase[] = [
  ...(asking
    .filter(([name = '']) => !open.has(name))
    .map((args) => ({
      title: `[N6] with a credential that does not hold, millrace ${args.join(' ')} ends with 4 and says whose it is`,
      run: async (scene) => {
        const env = await placeAt(scene.url, 'no-such-token')
        const { code, out, err } = await run([...args, '--json'], env)
        expect({ code, out }).toEqual({ code: 4, out: '' })
        expect(errorOf(err)).toMatchObject({
          code: 'credential_invalid',
          next: `The credential of MILLRACE_TOKEN does not hold at ${scene.url} (any more): unset it or set a new one.`,
        })
      },
    })) satisfies readonly NounCase[]),
  {
    title: '[N6] with no credential at all it is said how to get one, and a bad login code is refused',
    run: async (scene) => {
      const env = await placeAt(scene.url, '')
      const none = await run(['rooms', 'ls'], env)
      expect(none).toMatchObject({ code: 4, out: '' })
      expect(none.err).toContain('Sign in with `millrace login`, or set MILLRACE_TOKEN.')
      expect((await run(['login', 'no-such-code'], env)).code).toBe(4)
    },
  },
  {
    title: '[N6] a profile that does not hold, or is for another address, is named with that',
    run: async (scene) => {
      const env: Record<string, string> = { ...(await placeAt('', '')), npm_command: 'exec' }
      const profiles = { mine: { url: scene.url, token: 'no-such-token' } }
      writeFileSync(env.MILLRACE_PROFILES ?? '', JSON.stringify({ current: 'mine', profiles }))
      const stale = await run(['rooms', 'ls'], env)
      expect(stale.err).toContain('The credential of profile mine does not hold')
      expect(stale.err).toContain('sign in again with `npx millrace login`')
      const elsewhere = scene.url.replace('127.0.0.1', 'localhost')
      const other = await run(['rooms', 'ls', '--url', elsewhere], env)
      expect(other).toMatchObject({ code: 4, out: '' })
      expect(other.err).toContain(`Profile mine is for ${scene.url} and is used nowhere else`)
    },
  },
  {
    title: '[N3] a room that is not there is named, and where to look for those that are',
    run: async (scene) => {
      const { code, err } = await scene.millrace(['extensions', 'ls', '--room', 'nowhere'])
      expect(code).toBe(1)
      expect(err).toMatch(/Room 'nowhere' is not there, or not for you\. `millrace rooms ls`/)
    },
  },
]

describe('with a server', () => {
  describeCases(cases)
})

describe('wrong words', () => {
  it.concurrent.each([
    ['an unknown command', ['jbos'], "unknown command 'jbos'\n(Did you mean jobs?)"],
    [
      'an unknown option',
      ['jobs', 'ls', '--statsu', 'x'],
      "unknown option '--statsu'\n(Did you mean --status?)",
    ],
    ['a missing argument', ['why'], "missing required argument 'job'"],
    ['a value that is none', ['jobs', 'ls', '--limit', 'many'], 'whole number from 1 to 100000'],
    ['data that is no JSON', ['submit', 'x', '--data', '{'], '--data is no JSON'],
    ['a file that is not there', ['submit', 'x', '--data', '@/nowhere'], '--data @/nowhere cannot be read'],
    ['an address that is none', ['rooms', 'ls', '--url', 'ftp://x'], 'no address of a server'],
    [
      'a time that would be another',
      ['submit', 'x', '--key', 'k', '--at', '10m'],
      '--at 10m counts from now',
    ],
    [
      'a token that holds too long',
      ['tokens', 'create', '--expires', '9d'],
      '1 minute to 1 day (24h), so not for 9d',
    ],
    ['a topic nobody knows', ['help', 'nothing'], "no command 'nothing'"],
  ] as const)(
    '[N2] %s ends with 2, says so, and says it in JSON too',
    { timeout: 90_000 },
    async (_what, args, said) => {
      const env = await placeAt('', '')
      const [people, programs] = await Promise.all([run(args, env), run([...args, '--json'], env)])
      expect(people).toMatchObject({ code: 2, out: '' })
      expect(people.err).toMatch(/^millrace: /)
      expect(people.err).toContain(said)
      expect(programs).toMatchObject({ code: 2, out: '' })
      expect(errorOf(programs.err).message).toContain(said)
    },
  )

  it('[N2] the exit codes are listed, and help is no error', { timeout: 90_000 }, async () => {
    const env = await placeAt('', '')
    const [codes, help, top, bare] = await Promise.all([
      run(['help', 'exit-codes'], env),
      run(['help', 'jobs', 'ls'], env),
      run(['--help'], env),
      run([], env),
    ])
    expect(codes.out.match(/^ {2}\d+/gm)?.map(Number)).toEqual([0, 1, 2, 3, 4, 5, 130])
    expect(help.out).toContain('--dead-letters')
    expect([codes.code, help.code, top.code, bare.code]).toEqual([0, 0, 0, 2])
  })
})
