// What keeps the audit trail within bounds: refused sign-ins at a pace, entries by age and by number.

import type { AuditEntry } from '@millrace/domain'
import { AuditKeeper, createUser, type FeedBatch, FeedRelay, signIn } from '@millrace/server'
import { expect } from 'vitest'
import { answered, caller, password, type UserCase, type UserScene } from './user-scene.ts'

const minute = 60_000
const day = 24 * 60 * minute

export const trailCases: readonly UserCase[] = [
  {
    title: '[Y5] of a flood of refused sign-ins some are on record, and the rest is counted in one entry',
    run: async (scene) => {
      await scene.peopled('maxi')
      for (let n = 0; n < 25; n++) await signIn(scene, n % 2 === 0 ? 'maxi' : 'hunter2', 'wrong horse')
      expect(await refusals(scene)).toEqual(
        Array.from({ length: 10 }, (_, n) => [n % 2 === 0 ? 'maxi' : '', { by: 'password' }]),
      )
      await scene.failedSignIns.tellRest()
      expect(await refusals(scene)).toHaveLength(10)
      scene.clock.pass(minute)
      await scene.failedSignIns.tellRest()
      await scene.failedSignIns.tellRest()
      expect((await refusals(scene)).slice(10)).toEqual([['', { times: 15 }]])
      await signIn(scene, 'maxi', 'wrong horse')
      expect(await refusals(scene)).toHaveLength(12)
    },
  },
  {
    title: '[Y9] entries go when they are older than their retention, and not before',
    run: async (scene) => {
      const keeper = new AuditKeeper(scene.store, { retentionMs: 90 * day, maxEntries: 1_000 })
      await scene.peopled('maxi')
      scene.clock.pass(day)
      await signIn(scene, 'maxi', password)
      scene.clock.pass(89 * day - 1)
      await keeper.trim()
      expect(await actions(scene)).toEqual(['user.create', 'user.create', 'sign_in'])
      scene.clock.pass(minute)
      await keeper.trim()
      expect(await actions(scene)).toEqual(['sign_in'])
      expect((await scene.store.counters('system')).audit).toBe(1)
    },
  },
  {
    title: '[Y9] of too many the oldest go, whichever replica removes them and however many at once',
    run: async (scene) => {
      const bounds = { retentionMs: 90 * day, maxEntries: 5 }
      const keepers = [1, 2, 3].map(() => new AuditKeeper(scene.store, bounds))
      const heard = await hearEntries(scene, keepers, 12)
      const names = Array.from({ length: 11 }, (_, n) => `user${String(n).padStart(2, '0')}`)
      await scene.peopled(...names)
      await heard.all
      await Promise.all(keepers.map((keeper) => keeper.trim()))
      scene.clock.pass(minute)
      answered(await createUser(scene, caller('olga', 'admin'), { name: 'last', password, role: 'user' }))
      await heard.one
      for (const keeper of keepers) await keeper.trim()
      const left = await entries(scene)
      expect(left.map(({ target }) => target)).toEqual([...names.slice(-4), 'last'])
      expect((await scene.store.counters('system')).audit).toBe(5)
      await heard.stop()
    },
  },
]

async function entries({ store }: UserScene): Promise<readonly AuditEntry[]> {
  const query = { partition: 'system', lists: ['audit'], order: 'oldest', limit: 500 } as const
  return (await store.list(query)).map(({ head }) => JSON.parse(head) as AuditEntry)
}

async function actions(scene: UserScene): Promise<readonly string[]> {
  return (await entries(scene)).map(({ action }) => action)
}

async function refusals(scene: UserScene): Promise<readonly unknown[]> {
  const refused = (await entries(scene)).filter(({ outcome }) => outcome === 'refused')
  return refused.map(({ target, details }) => [target, details])
}

function signal(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** The keepers hear the log as they do in a server; `all` when so many entries were heard, `one` when one more was. */
async function hearEntries(scene: UserScene, keepers: readonly AuditKeeper[], count: number) {
  const onFault = (fault: unknown): never => {
    throw fault
  }
  const relay = new FeedRelay({ store: scene.store, onFault, pause: () => Promise.resolve() })
  for (const keeper of keepers) relay.listen(keeper)
  let heard = 0
  const [all, one] = [signal(), signal()]
  const onBatch = ({ events }: FeedBatch): void => {
    heard += events.filter(({ subject }) => subject.startsWith('audit/')).length
    if (heard >= count) all.resolve()
    if (heard > count) one.resolve()
  }
  relay.listen({ onBatch, onReset: () => undefined })
  await relay.start()
  return { all: all.promise, one: one.promise, stop: () => relay.stop() }
}
