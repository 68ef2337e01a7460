import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { makeTempDir } from '../process/temp-dir.ts'
import { millrace } from './command-process.ts'
import { describeCases } from './noun-flow.ts'
import type { NounCase } from './noun-scene.ts'

interface Report {
  readonly ok: boolean
  readonly checks: readonly { readonly name: string; readonly verdict: string; readonly next?: string }[]
}

interface Options {
  readonly options: readonly { readonly option: string; readonly value: string; readonly source: string }[]
}

const verdictsOf = ({ checks }: Report): Record<string, string> =>
  Object.fromEntries(checks.map(({ name, verdict }) => [name, verdict]))

/** It tells of all workers of a server, so nobody else may have one there that is about to go. */
const alone: readonly NounCase[] = [
  {
    title:
      '[N25] doctor looks at everything a job needs, says what to do about what lacks, and is quiet about the rest',
    run: async (scene) => {
      const { env } = await scene.lab()
      const report = await scene.json<Report>(['doctor'], env)
      expect(report.ok).toBe(true)
      expect(verdictsOf(report)).toMatchObject({
        node: 'ok',
        server: 'ok',
        store: 'ok',
        version: 'ok',
        clock: 'ok',
        credential: 'ok',
        room: 'ok',
        workers: 'warn',
        placement: 'ok',
        socket: 'ok',
      })
      expect(report.checks.find(({ name }) => name === 'workers')?.next).toContain('millrace pool')
      const shown = await scene.says(['doctor'], env)
      expect(shown).toMatch(/^ok {4}socket {6}connected and answered in /m)
      const quiet = await scene.says(['doctor', '--quiet'], env)
      expect(quiet).not.toMatch(/^ok/m)
    },
  },
]

const cases: readonly NounCase[] = [
  {
    title: '[N25] what waits for nobody is a warning, a credential or room that does not hold a fault',
    run: async (scene) => {
      const { room, worker, env } = await scene.lab()
      await scene.submit(room)
      await worker.assigned.next()
      await scene.submit(room)
      expect(verdictsOf(await scene.json<Report>(['doctor'], env))).toMatchObject({ placement: 'ok' })
      const [bad, away, nobody, token] = await Promise.all([
        scene.millrace(['doctor', '--json'], { ...env, MILLRACE_TOKEN: 'bad' }),
        scene.millrace(['doctor', '--json'], { MILLRACE_ROOM: 'nowhere' }),
        scene.millrace(['doctor', '--json'], { MILLRACE_TOKEN: '' }),
        scene.says(['tokens', 'create', '--room', room]),
      ])
      const reportOf = ({ out }: { out: string }): Report => JSON.parse(out) as Report
      expect([bad.code, away.code, nobody.code]).toEqual([1, 1, 0])
      expect(verdictsOf(reportOf(bad))).toMatchObject({ server: 'ok', credential: 'fail' })
      expect(verdictsOf(reportOf(away))).toMatchObject({ credential: 'ok', room: 'fail' })
      expect(verdictsOf(reportOf(nobody))).toMatchObject({ credential: 'warn' })
      const withToken = await scene.json<Report>(['doctor'], { ...env, MILLRACE_TOKEN: token.trim() })
      expect(verdictsOf(withToken)).toMatchObject({ room: 'ok', workers: 'skip', socket: 'ok' })
    },
  },
  {
    title:
      '[N26] every option of a server is printed with its source, secrets masked, and nothing wrong is passed over',
    run: async (scene) => {
      const file = join(await makeTempDir('nouns-config'), 'millrace.json')
      writeFileSync(file, JSON.stringify({ logLevel: 'debug' }))
      const env = {
        MILLRACE_CONFIG: file,
        MILLRACE_GUESTS: 'on',
        MILLRACE_ADMIN_USER: 'root',
        MILLRACE_ADMIN_PASSWORD: 'a secret nobody sees',
      }
      const args = ['config', 'print', '--port', '8080', '--redis', 'redis://u:hidden@localhost:6379']
      const printed = await scene.says([...args, '--json'], env)
      expect(printed).not.toMatch(/nobody sees|hidden/)
      const { options } = JSON.parse(printed) as Options
      const of = (name: string): unknown => options.find(({ option }) => option === name)
      expect(of('port')).toEqual({ option: 'port', value: '8080', source: '--port' })
      expect(of('guests')).toMatchObject({ source: 'MILLRACE_GUESTS' })
      expect(of('logLevel')).toMatchObject({
        value: 'debug',
        source: expect.stringContaining('millrace.json'),
      })
      expect(of('adminPassword')).toMatchObject({ value: '********', source: 'MILLRACE_ADMIN_PASSWORD' })
      expect(of('maxConnections')).toMatchObject({ source: 'default' })
      expect(await scene.says(args, env)).toMatch(/^port +8080 +--port$/m)
      const wrong = await scene.millrace(['config', 'print', '--prt', '1', '--port', 'x', '--json'])
      expect(wrong).toMatchObject({ code: 2, out: '' })
      expect(JSON.parse(wrong.err)).toMatchObject({
        error: { code: 'config_invalid', details: { problems: [expect.anything(), expect.anything()] } },
      })
    },
  },
  {
    title: '[N1] the interface is printed as the server describes it',
    run: async (scene) => {
      const page = JSON.parse(await scene.says(['openapi'])) as { openapi: string; paths: object }
      expect(page.openapi).toBe('3.1.0')
      expect(Object.keys(page.paths)).toContain('/api/rooms/{room}/jobs')
    },
  },
  {
    title: '[N27] bash completes commands, and asks the server for rooms, extensions, fields and jobs',
    run: async (scene) => {
      const { room, env } = await scene.lab()
      const id = await scene.submit(room)
      const script = await scene.says(['completion', 'bash'])
      const tab = async (...words: readonly string[]): Promise<readonly string[]> => {
        const typed = ['millrace', ...words].map((word) => `'${word}'`).join(' ')
        const run = `${script}\nmillrace() { '${process.execPath}' '${millrace}' "$@"; }
          COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _millrace; printf '%s\\n' "\${COMPREPLY[@]}"`
        const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', run], {
          env: { PATH: process.env.PATH ?? '', ...scene.env, ...env, MILLRACE_COMPLETE_MS: '60000' },
        })
        return stdout.trim().split('\n')
      }
      const [commands, options, extensions, fields, jobs, rooms] = await Promise.all([
        tab('jo'),
        tab('jobs', 'ls', '--dead'),
        tab('submit', 'modi'),
        tab('submit', 'Relax', '--set', 'c'),
        tab('jobs', 'get', id.slice(-8, -4)),
        tab('rooms', 'get', room.slice(0, -1)),
      ])
      expect(commands).toEqual(['jobs'])
      expect(options).toEqual(['--dead-letters'])
      expect(extensions).toEqual(['modifiers/Relax'])
      expect(fields).toEqual(['cell.pbc='])
      expect(jobs).toEqual([id.slice(-8)])
      expect(rooms).toEqual([room])
    },
  },
  {
    title: '[N27] zsh and fish get scripts of their own that ask in the same way',
    run: async (scene) => {
      const [zsh, fish, other] = await Promise.all([
        scene.says(['completion', 'zsh']),
        scene.says(['completion', 'fish']),
        scene.millrace(['completion', 'tcsh']),
      ])
      expect(zsh).toMatch(/^#compdef millrace\n/)
      for (const script of [zsh, fish]) expect(script).toContain('__complete --')
      expect(other.code).toBe(2)
    },
  },
]

describe('looking after a server from the command line', () => {
  describeCases(cases)
})

describe('looking after a server of its own', () => {
  describeCases(alone)
})
