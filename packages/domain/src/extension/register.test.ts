import { describe, expect, it } from 'vitest'
import type { UserName, WorkerId } from '../ids.ts'
import { admitUser, dismissUser, maxAdmitted } from './admission.ts'
import type { Extension } from './extension.ts'
import { extensionKey, parseExtensionId } from './identity.ts'
import { maxVersions, type Registration, registerExtension, type Surroundings } from './register.ts'
import {
  accepted,
  hash,
  quiet,
  registration,
  samplePolicy,
  sampleRoom,
  serving,
  someone,
} from './sample-extension.ts'

const max = someone('max')
const mia = someone('mia')

/** Registers one after the other, as max unless said otherwise, and answers what comes out. */
function registered(...registrations: Registration[]): Extension {
  return registrations.reduce<Extension | null>(
    (extension, next) => accepted(registerExtension(extension, next, max, quiet, 0)).next,
    null,
  ) as Extension
}

const pinnedTo = (...titles: string[]): Surroundings => ({
  ...quiet,
  pinned: new Map(titles.map((title) => [hash(title), 1])),
})

describe('names', () => {
  it.each([
    ['modifiers', 'Relax'],
    ['my-own_2', 'x'],
    ['analysis', 'radial.distribution-v2_b'],
  ])('[E10] %s/%s is a name', (category, name) => {
    expect(extensionKey(accepted(parseExtensionId('global', category, name)))).toBe(
      `global/${category}/${name}`,
    )
  })

  it.each([
    ['category', '', 'Relax'],
    ['category', 'Modifiers', 'Relax'],
    ['category', 'a/b', 'Relax'],
    ['category', 'x'.repeat(33), 'Relax'],
    ['name', 'modifiers', ''],
    ['name', 'modifiers', '2fast'],
    ['name', 'modifiers', 'a/b'],
    ['name', 'modifiers', 'a b'],
    ['name', 'modifiers', 'Relax\n'],
    ['name', 'modifiers', 'x'.repeat(65)],
  ])('[E10] the %s of %j/%j is refused', (field, category, name) => {
    expect(parseExtensionId('room', category, name)).toMatchObject({
      refused: 'extension_name_invalid',
      details: { field },
    })
  })
})

describe('a registration', () => {
  it('[E12] whoever registers first owns the extension, and its schema is current', () => {
    const answer = accepted(registerExtension(null, registration('one', 'w1'), max, quiet, 5))
    expect(answer).toEqual({
      next: {
        id: { scope: 'room', category: 'modifiers', name: 'Relax' },
        room: 'lab',
        owner: 'max',
        admitted: [],
        current: '#one',
        versions: [
          {
            hash: '#one',
            schema: { title: 'one' },
            policy: samplePolicy(),
            workers: ['w1'],
            registeredAt: 5,
          },
        ],
        registeredAt: 5,
      },
      invalidates: true,
    })
  })

  it('[E13] with the same hash is one more worker', () => {
    const both = registered(registration('one', 'w1'), registration('one', 'w2'))
    expect(serving(both)).toEqual({ one: ['w1', 'w2'] })
  })

  it('[E13] that is repeated changes nothing and invalidates nothing', () => {
    const once = registered(registration('one', 'w1'))
    expect(registerExtension(once, registration('one', 'w1'), max, quiet, 0)).toEqual({
      next: once,
      invalidates: false,
    })
  })

  it('[E14] with another hash while live workers hold the current one is refused with both hashes and the difference', () => {
    const served = registered(registration('one', 'w1'), registration('one', 'w2'))
    expect(registerExtension(served, registration('two', 'w3'), max, quiet, 0)).toEqual({
      refused: 'extension_schema_conflict',
      message: 'room/modifiers/Relax is served by 2 live workers with another schema: changed /title.',
      details: {
        currentHash: '#one',
        offeredHash: '#two',
        workers: 2,
        changes: [{ change: 'changed', pointer: '/title', before: 'one', after: 'two' }],
        changesLeftOut: 0,
      },
    })
  })

  it('[E14] that differs everywhere is answered with some of the differences and a count of the rest', () => {
    const schema = {
      hash: hash('two'),
      schema: Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`k${at}`, at])),
    }
    const answer = registerExtension(
      registered(registration('one', 'w1')),
      registration('', 'w2', { schema }),
      max,
      quiet,
      0,
    )
    expect(answer).toMatchObject({ details: { changes: { length: 20 }, changesLeftOut: 11 } })
  })

  it('[E15] with another hash when nobody live holds the current one becomes current', () => {
    const idle = { ...registered(registration('one', 'w1')) }
    const unserved = { ...idle, versions: idle.versions.map((version) => ({ ...version, workers: [] })) }
    const { next, invalidates } = accepted(
      registerExtension(unserved, registration('two', 'w2'), max, quiet, 0),
    )
    expect([next.current, serving(next), invalidates]).toEqual(['#two', { two: ['w2'] }, true])
  })

  it('[E15] keeps the old version beside the new one while jobs are pinned to it', () => {
    const first = registered(registration('one', 'w1'))
    const { next } = accepted(registerExtension(first, registration('two', 'w1'), max, pinnedTo('one'), 0))
    expect([next.current, serving(next)]).toEqual(['#two', { one: [], two: ['w1'] }])
  })

  it('[E16] with the hash of a kept version serves its jobs without becoming current', () => {
    const first = registered(registration('one', 'w1'))
    const upgraded = accepted(
      registerExtension(first, registration('two', 'w1'), max, pinnedTo('one'), 0),
    ).next
    const { next, invalidates } = accepted(
      registerExtension(upgraded, registration('one', 'w2'), max, pinnedTo('one'), 0),
    )
    expect([next.current, serving(next), invalidates]).toEqual(['#two', { two: ['w1'], one: ['w2'] }, false])
  })

  it('[E17] of the only worker under a new hash moves it: a worker serves one version', () => {
    const { next, invalidates } = accepted(
      registerExtension(registered(registration('one', 'w1')), registration('two', 'w1'), max, quiet, 0),
    )
    expect([next.current, serving(next), invalidates]).toEqual(['#two', { two: ['w1'] }, true])
  })

  it('[E13] of the first worker after a time without any is announced', () => {
    const once = registered(registration('one', 'w1'))
    const unserved = { ...once, versions: once.versions.map((version) => ({ ...version, workers: [] })) }
    expect(registerExtension(unserved, registration('one', 'w1'), max, quiet, 0)).toMatchObject({
      invalidates: true,
    })
  })

  it('[E32] is refused when too many versions still have unfinished jobs', () => {
    const titles = Array.from({ length: maxVersions }, (_, at) => `v${at}`)
    const all = pinnedTo(...titles, 'last')
    const full = titles.reduce<Extension | null>(
      (extension, title) =>
        accepted(registerExtension(extension, registration(title, 'w1'), max, all, 0)).next,
      null,
    )
    expect(full?.versions).toHaveLength(maxVersions)
    expect(registerExtension(full, registration('last', 'w1'), max, all, 0)).toMatchObject({
      refused: 'extension_versions_full',
    })
  })

  it('[E23] sets the policy of its version when it comes from those who may admit, not from the admitted', () => {
    const policy = { ...samplePolicy(), maxRunning: 3 }
    const extension = accepted(admitUser(registered(registration('one', 'w1')), sampleRoom(), max, mia.user))
    const byMia = accepted(
      registerExtension(extension, registration('one', 'w2', { policy }), mia, quiet, 0),
    ).next
    expect(byMia.versions[0]?.policy.maxRunning).toBeNull()
    const byMax = accepted(
      registerExtension(extension, registration('one', 'w2', { policy }), max, quiet, 0),
    ).next
    expect(byMax.versions[0]?.policy.maxRunning).toBe(3)
  })
})

describe('who may register', () => {
  const mine = registered(registration('one', 'w1'))
  const anywhere = (scope: 'global' | 'builtin') =>
    registration('one', 'w9', { id: { scope, category: 'modifiers', name: 'Relax' }, home: null })
  const reserved: Surroundings = { ...quiet, builtins: [{ category: 'modifiers', name: 'Relax' }] }
  const shadowing: Surroundings = { ...quiet, globals: [{ category: 'modifiers', name: 'Relax' }] }

  it('[E18] workers of the owner and of those who run the room join, those of others are refused', () => {
    const next = registration('one', 'w2')
    expect(registerExtension(mine, next, max, quiet, 0)).toHaveProperty('next')
    expect(registerExtension(mine, next, someone('olga'), quiet, 0)).toHaveProperty('next')
    expect(registerExtension(mine, next, someone('root', 'admin'), quiet, 0)).toHaveProperty('next')
    expect(registerExtension(mine, next, mia, quiet, 0)).toMatchObject({
      refused: 'extension_forbidden',
      details: { owner: 'max' },
    })
  })

  it('[E19] a user who was admitted may serve until dismissed', () => {
    const admitted = accepted(admitUser(mine, sampleRoom(), max, mia.user))
    expect(registerExtension(admitted, registration('one', 'w2'), mia, quiet, 0)).toHaveProperty('next')
    const dismissed = accepted(dismissUser(admitted, sampleRoom(), someone('olga'), mia.user))
    expect(registerExtension(dismissed, registration('one', 'w2'), mia, quiet, 0)).toMatchObject({
      refused: 'extension_forbidden',
    })
  })

  it('[E19] the owner, an owner of the room and an admin admit; a member and a stranger do not', () => {
    for (const who of [max, someone('olga'), someone('root', 'admin')]) {
      expect(admitUser(mine, sampleRoom(), who, mia.user)).toMatchObject({ admitted: ['mia'] })
    }
    expect(admitUser(mine, sampleRoom(), mia, mia.user)).toMatchObject({ refused: 'extension_forbidden' })
    expect(dismissUser(mine, sampleRoom(), mia, mia.user)).toMatchObject({ refused: 'extension_forbidden' })
    expect(admitUser(mine, sampleRoom(), someone('sam'), mia.user)).toMatchObject({
      refused: 'room_not_found',
    })
  })

  it('[E19] for a global extension its owner and any admin admit', () => {
    const root = someone('root', 'admin')
    const wide = accepted(registerExtension(null, anywhere('global'), root, quiet, 0)).next
    expect(admitUser(wide, null, someone('other', 'admin'), mia.user)).toMatchObject({ admitted: ['mia'] })
    expect(admitUser(wide, null, max, mia.user)).toMatchObject({ refused: 'extension_forbidden' })
  })

  it('[E19] admitting or dismissing again changes nothing, and the list is bounded', () => {
    const once = accepted(admitUser(mine, sampleRoom(), max, mia.user))
    expect(admitUser(once, sampleRoom(), max, mia.user)).toBe(once)
    expect(admitUser(mine, sampleRoom(), max, max.user)).toBe(mine)
    expect(dismissUser(mine, sampleRoom(), max, mia.user)).toBe(mine)
    const full = { ...mine, admitted: Array.from({ length: maxAdmitted }, (_, at) => `u${at}` as UserName) }
    expect(admitUser(full, sampleRoom(), max, mia.user)).toMatchObject({
      refused: 'extension_admissions_full',
      details: { limit: maxAdmitted },
    })
  })

  it('[E20] scope global and scope built-in take role admin', () => {
    for (const scope of ['global', 'builtin'] as const) {
      expect(registerExtension(null, anywhere(scope), max, reserved, 0)).toMatchObject({
        refused: 'extension_forbidden',
        details: { role: 'admin' },
      })
    }
    expect(registerExtension(null, anywhere('global'), someone('root', 'admin'), quiet, 0)).toMatchObject({
      next: { room: null },
    })
  })

  it("[E20] a pool's token is enough for scope built-in, and for nothing else", () => {
    const pool = someone('pool', 'pool')
    expect(registerExtension(null, anywhere('builtin'), pool, reserved, 0)).toHaveProperty('next')
    expect(registerExtension(null, anywhere('builtin'), pool, quiet, 0)).toMatchObject({
      refused: 'extension_forbidden',
    })
    expect(registerExtension(null, anywhere('global'), pool, quiet, 0)).toMatchObject({
      refused: 'extension_forbidden',
    })
    expect(registerExtension(null, registration('one', 'w1'), pool, quiet, 0)).toMatchObject({
      refused: 'room_not_found',
    })
  })

  it('[E41] every pool serves what another or an admin registered first, and its policy counts', () => {
    const policy = { ...samplePolicy(), short: true }
    const root = someone('root', 'admin')
    const byRoot = accepted(registerExtension(null, anywhere('builtin'), root, reserved, 0)).next
    const again = { ...anywhere('builtin'), worker: 'w10' as WorkerId, policy }
    const joined = accepted(registerExtension(byRoot, again, someone('pool', 'pool'), reserved, 0)).next
    expect(joined.versions).toMatchObject([{ workers: ['w9', 'w10'], policy: { short: true } }])
    expect(registerExtension(joined, again, max, reserved, 0)).toMatchObject({
      refused: 'extension_forbidden',
    })
  })

  it('[E11] the name of a built-in extension is reserved, in any case of letters, also for owners and admins', () => {
    const lower = registration('one', 'w1', { id: { scope: 'room', category: 'modifiers', name: 'relax' } })
    const root = someone('root', 'admin')
    expect(registerExtension(null, lower, someone('olga'), reserved, 0)).toMatchObject({
      refused: 'extension_name_reserved',
    })
    expect(registerExtension(null, anywhere('global'), root, reserved, 0)).toMatchObject({
      refused: 'extension_name_reserved',
    })
    expect(registerExtension(null, anywhere('builtin'), root, reserved, 0)).toHaveProperty('next')
    expect(registerExtension(null, anywhere('builtin'), root, quiet, 0)).toMatchObject({
      refused: 'extension_forbidden',
    })
  })

  it('[E11] a built-in name is free in another category', () => {
    const elsewhere: Surroundings = { ...quiet, builtins: [{ category: 'analysis', name: 'Relax' }] }
    expect(registerExtension(null, registration('one', 'w1'), max, elsewhere, 0)).toHaveProperty('next')
  })

  it('[E21] only an owner of the room gives a room extension the name of a global one', () => {
    expect(registerExtension(null, registration('one', 'w1'), max, shadowing, 0)).toMatchObject({
      refused: 'extension_forbidden',
    })
    expect(registerExtension(null, registration('one', 'w1'), someone('olga'), shadowing, 0)).toHaveProperty(
      'next',
    )
  })

  it('[E21] an extension that was there before the global one goes on', () => {
    expect(registerExtension(mine, registration('one', 'w2'), max, shadowing, 0)).toHaveProperty('next')
  })

  it('[E22] a stranger who registers in a private room finds none, and a viewer may not', () => {
    expect(registerExtension(mine, registration('one', 'w2'), someone('sam'), reserved, 0)).toMatchObject({
      refused: 'room_not_found',
    })
    expect(registerExtension(null, registration('one', 'w2'), someone('vera'), quiet, 0)).toMatchObject({
      refused: 'room_forbidden',
    })
    expect(registerExtension(null, registration('one', 'w2', { home: null }), max, quiet, 0)).toMatchObject({
      refused: 'room_not_found',
    })
  })
})
