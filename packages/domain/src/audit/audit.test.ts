import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RoomName, UserName } from '../ids.ts'
import { auditActions } from './audit-action.ts'
import { auditEntry, auditTextMaxLength, type Deed, endedEntry } from './audit-entry.ts'
import { meetsAuditFilter, trailRefusal } from './audit-filter.ts'

const lab = 'lab' as RoomName
const olga = { user: 'olga' as UserName, role: 'user' } as const
const deed: Deed = { who: olga, action: 'member.set', target: 'max', details: { role: 'viewer' } }

describe('an entry of the audit trail', () => {
  it('[Y1] says who did what to what, in which room, when, and how it went', () => {
    expect(auditEntry('id-1', deed, lab, 7)).toEqual({
      id: 'id-1',
      at: 7,
      actor: 'olga',
      role: 'user',
      action: 'member.set',
      target: 'max',
      room: 'lab',
      outcome: 'done',
      details: { role: 'viewer' },
    })
  })

  it('[Y1] has no actor where nobody is known, and no detail where none was given', () => {
    const { who: _who, details: _details, ...rest } = deed
    const entry = auditEntry(
      'id-1',
      { ...rest, who: null, outcome: 'refused', details: { by: undefined } },
      null,
      7,
    )
    expect(entry).toMatchObject({ actor: null, role: null, room: null, outcome: 'refused', details: {} })
  })

  it('[Y1] its texts are cut, however long what they name', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 1_000 }), (text) => {
        const { target, details } = auditEntry('id', { ...deed, target: text, details: { text } }, lab, 7)
        expect(target.length).toBeLessThanOrEqual(auditTextMaxLength)
        expect(details.text).toBe(target)
        if (text.length <= auditTextMaxLength) expect(target).toBe(text)
      }),
      { seed: 5 },
    )
  })

  it('[Y6] a deed about many is begun, and done with its counts once it has come to its end', () => {
    const many: Deed = {
      who: olga,
      action: 'jobs.cancel',
      target: 'lab',
      outcome: 'begun',
      details: { by: 'ids' },
    }
    const begun = auditEntry('id-1', many, lab, 7)
    expect(begun.outcome).toBe('begun')
    expect(endedEntry(begun, { matched: 3, done: 2 })).toEqual({
      ...begun,
      outcome: 'done',
      details: { by: 'ids', matched: 3, done: 2 },
    })
  })
})

describe('reading the audit trail', () => {
  it('[Y7] the whole of it takes an admin with a session', () => {
    expect(trailRefusal({ user: 'anna' as UserName, role: 'admin' })).toBeNull()
    expect(trailRefusal(olga)).toMatchObject({ refused: 'admin_required' })
    expect(trailRefusal({ user: 'anna' as UserName, role: 'admin', onlyRoom: lab })).toMatchObject({
      refused: 'admin_required',
    })
  })

  it('[Y8] an entry is found by its actor, by its action and by the noun of its action', () => {
    const entry = auditEntry('id-1', deed, lab, 7)
    const found = [{}, { actor: 'olga' }, { action: 'member.set' }, { action: 'member', actor: 'olga' }]
    for (const filter of found) expect(meetsAuditFilter(entry, filter)).toBe(true)
    const missed = [
      { actor: 'max' },
      { action: 'mem' },
      { action: 'member.remove' },
      { actor: 'max', action: 'member' },
    ]
    for (const filter of missed) expect(meetsAuditFilter(entry, filter)).toBe(false)
  })

  it('[Y8] the actions about one job and about many are told apart by their noun', () => {
    const nouns = new Set(auditActions.map((action) => action.split('.')[0]))
    expect(nouns).toContain('job')
    expect(nouns).toContain('jobs')
    const entry = auditEntry('id-1', { ...deed, action: 'jobs.cancel' }, lab, 7)
    expect(meetsAuditFilter(entry, { action: 'job' })).toBe(false)
  })
})
