import { readFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { NounCommand } from './noun-command.ts'
import { describeCases } from './noun-flow.ts'
import type { NounCase, NounScene } from './noun-scene.ts'

const redrawn = '\r\u001b[2K'

function atTerminal(
  scene: NounScene,
  args: readonly string[],
  env: Record<string, string> = {},
): NounCommand {
  return new NounCommand(args, { env: { ...scene.env, TERM: 'xterm', ...env }, isTerminal: true })
}

const cases: readonly NounCase[] = [
  {
    title: '[N18] at a terminal one line is redrawn with state and progress, and log lines stand above it',
    run: async (scene) => {
      const { worker, env } = await scene.lab()
      const command = atTerminal(scene, ['submit', 'Relax', '--follow'], env)
      const job = await worker.assigned.next()
      await worker.started(job)
      await worker.progress(job, 0.5, 'half of it')
      await command.said('50 % half of it')
      await worker.log(job, 'a line \u001b[2J')
      await command.said('a line')
      await worker.completed(job, 42)
      const { code, out } = await command.ended
      expect(code).toBe(0)
      expect(out).toContain(`▕████████████            ▏`)
      const frames = out.split(redrawn)
      expect(frames.length).toBeGreaterThan(3)
      for (const frame of frames.slice(1, -1))
        expect(frame.replace(/\n$/, '').split('\n').length).toBeLessThanOrEqual(2)
      expect(out).not.toContain('\u001b[2J')
      expect(frames.at(-1)).toMatch(/42\r?\n.*completed.* in /s)
    },
  },
  {
    title: '[N20] the key Ctrl-C lets go of the job',
    run: async (scene) => {
      const { worker, env } = await scene.lab()
      const command = atTerminal(scene, ['submit', 'Relax', '--follow'], env)
      await worker.started(await worker.assigned.next())
      await command.said('running')
      command.type('\u0003')
      const { code, out } = await command.ended
      expect(code).toBe(130)
      expect(out).toContain('goes on')
    },
  },
  {
    title: '[N12] a password is asked for and not shown, a new one twice',
    run: async (scene) => {
      const user = scene.newName('user')
      const [secret, other] = ['a secret nobody sees', 'another secret of theirs']
      const make = atTerminal(scene, ['users', 'create', user])
      await make.said(`New password for ${user}: `)
      make.type(`${secret}x\u007f\r`)
      await make.said('Once more: ')
      make.type(`${secret}\r`)
      const made = await make.ended
      expect(made.code).toBe(0)
      const login = atTerminal(scene, ['login', '--profile', 'mine'], { MILLRACE_TOKEN: '' })
      await login.said('User: ')
      login.type(`${user}\r`)
      await login.said(`Password of ${user}`)
      login.type(`${secret}\r`)
      const signedIn = await login.ended
      expect(signedIn.code).toBe(0)
      expect(readFileSync(scene.env.MILLRACE_PROFILES ?? '', 'utf8')).toContain(user)
      const change = atTerminal(scene, ['users', 'password', user])
      await change.said('New password')
      change.type(`${other}\r`)
      await change.said('Once more')
      change.type(`${secret}\r`)
      const changed = await change.ended
      expect(changed.code).toBe(2)
      expect(changed.out).toContain('The two passwords differ; nothing was changed.')
      for (const { out } of [made, signedIn, changed]) expect(out).not.toMatch(/secret/)
    },
  },
  {
    title: '[N71] at a keyboard more than 100 jobs are asked about, and only a yes cancels them',
    run: async (scene) => {
      const { room, env } = await scene.lab()
      await scene.admin.expect(200, 'POST', `/api/rooms/${room}/extensions/room/modifiers/Relax/pause`)
      const [first = ''] = await scene.submitMany(room, 101)
      const cancel = ['jobs', 'cancel', '--status', 'pending']
      const unsure = atTerminal(scene, cancel, env)
      await unsure.said('Cancel 101 jobs? [y/N] ')
      unsure.type('\r')
      expect((await unsure.ended).code).toBe(130)
      expect((await scene.job(room, first)).status).toBe('pending')
      const sure = atTerminal(scene, cancel, env)
      await sure.said('Cancel 101 jobs? [y/N] ')
      sure.type('y\r')
      const ended = await sure.ended
      expect(ended.code).toBe(0)
      expect(ended.out).toContain('101 jobs are cancelled.')
    },
  },
]

describe('at a terminal', () => {
  describeCases(cases)
})
