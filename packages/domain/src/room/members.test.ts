import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RoomName, UserName } from '../ids.ts'
import { isRefusal, type Refusal } from '../refusal.ts'
import type { Caller, UserRole } from './caller.ts'
import { maxMembers, type RoomChanged, removeMember, setMember } from './members.ts'
import { defaultRoomSettings, type MemberRole, type Room } from './room.ts'
import { changeSettings } from './settings.ts'

const someone = (user: string, role: UserRole = 'user'): Caller => ({ user: user as UserName, role })
const olga = someone('olga')

const lab: Room = {
  name: 'lab' as RoomName,
  access: 'private',
  members: [
    { user: 'olga' as UserName, role: 'owner' },
    { user: 'max' as UserName, role: 'member' },
  ],
  settings: defaultRoomSettings,
  createdAt: 0,
}

describe('members', () => {
  it('[R10] an owner adds, changes and removes members', () => {
    const added = setMember(lab, olga, someone('sam'), 'viewer') as RoomChanged
    expect(added.next.members).toContainEqual({ user: 'sam', role: 'viewer' })
    const raised = setMember(added.next, olga, someone('sam'), 'member') as RoomChanged
    expect(raised.next.members.filter(({ user }) => user === 'sam')).toEqual([
      { user: 'sam', role: 'member' },
    ])
    const removed = removeMember(raised.next, olga, 'sam' as UserName) as RoomChanged
    expect(removed.next.members).toEqual(lab.members)
  })

  it.each<[string, Refusal['refused'], RoomChanged | Refusal]>([
    [
      '[R10] a member may not add others',
      'room_forbidden',
      setMember(lab, someone('max'), someone('x'), 'viewer'),
    ],
    ['[R10] a member may not remove others', 'room_forbidden', removeMember(lab, someone('max'), olga.user)],
    [
      '[R8] a stranger who adds members finds no room',
      'room_not_found',
      setMember(lab, someone('x'), olga, 'viewer'),
    ],
    [
      '[R10] nobody removes who is not there',
      'room_member_not_found',
      removeMember(lab, olga, 'x' as UserName),
    ],
    ['[R11] the last owner cannot leave', 'room_last_owner', removeMember(lab, olga, olga.user)],
    ['[R11] the last owner cannot step down', 'room_last_owner', setMember(lab, olga, olga, 'member')],
    [
      '[R11] an admin cannot remove the last owner',
      'room_last_owner',
      removeMember(lab, someone('a', 'admin'), olga.user),
    ],
    [
      '[R3] a guest cannot be made owner',
      'room_guest_cannot_own',
      setMember(lab, olga, someone('g', 'guest'), 'owner'),
    ],
  ])('%s', (_title, code, answer) => {
    expect(answer).toMatchObject({ refused: code })
  })

  it('[R3] a guest can be listed, only not as owner', () => {
    expect(setMember(lab, olga, someone('g', 'guest'), 'member')).toHaveProperty('next')
  })

  it('[R11] once there is a second owner the first may leave', () => {
    const two = setMember(lab, olga, someone('max'), 'owner') as RoomChanged
    const left = removeMember(two.next, olga, olga.user) as RoomChanged
    expect(left.next.members).toEqual([{ user: 'max', role: 'owner' }])
  })

  it('[R10] anybody may leave', () => {
    const left = removeMember(lab, someone('max'), 'max' as UserName) as RoomChanged
    expect(left.next.members).toEqual([{ user: 'olga', role: 'owner' }])
  })

  it('[R12] a change of standing disconnects the sockets of that user', () => {
    expect(setMember(lab, olga, someone('max'), 'viewer')).toMatchObject({
      effects: [{ kind: 'disconnect_user', user: 'max' }],
    })
    expect(removeMember(lab, olga, 'max' as UserName)).toMatchObject({
      effects: [{ kind: 'disconnect_user', user: 'max' }],
    })
  })

  it('[R12] giving the role somebody has already changes and disconnects nothing', () => {
    const same = setMember(lab, olga, someone('max'), 'member') as RoomChanged
    expect(same.next).toBe(lab)
    expect(same.effects).toEqual([])
  })

  it('[R13] a full room takes no further member but still changes those it has', () => {
    const crowd = Array.from({ length: maxMembers - 2 }, (_, at) => ({
      user: `u${at}` as UserName,
      role: 'viewer' as const,
    }))
    const full: Room = { ...lab, members: [...lab.members, ...crowd] }
    expect(setMember(full, olga, someone('one-more'), 'viewer')).toMatchObject({
      refused: 'room_members_full',
      details: { limit: maxMembers },
    })
    expect(isRefusal(setMember(full, olga, someone('u1'), 'member'))).toBe(false)
  })

  it('[R11] whatever members do, somebody owns the room and nobody is listed twice', () => {
    const user = fc.constantFrom('olga', 'max', 'sam', 'vera')
    const step = fc.record({
      by: user,
      role: fc.constantFrom<UserRole>('guest', 'user', 'admin'),
      to: user,
      as: fc.constantFrom<MemberRole | 'out'>('owner', 'member', 'viewer', 'out'),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let room = lab
        for (const { by, role, to, as } of steps) {
          const who = someone(by, role)
          const answer =
            as === 'out' ? removeMember(room, who, to as UserName) : setMember(room, who, someone(to), as)
          if (!isRefusal(answer)) room = answer.next
          expect(room.members.some((member) => member.role === 'owner')).toBe(true)
          expect(new Set(room.members.map((member) => member.user)).size).toBe(room.members.length)
        }
      }),
      { seed: 11 },
    )
  })
})

describe('settings', () => {
  it('[R14] an owner sets limit and weight, and what is not named stays', () => {
    const limited = changeSettings(lab, olga, { limit: 5 }) as RoomChanged
    expect(limited.next.settings).toEqual({ limit: 5, weight: 1 })
    const weighted = changeSettings(limited.next, olga, { weight: 3 }) as RoomChanged
    expect(weighted.next.settings).toEqual({ limit: 5, weight: 3 })
    const unlimited = changeSettings(weighted.next, olga, { limit: null }) as RoomChanged
    expect(unlimited.next.settings).toEqual({ limit: null, weight: 3 })
    expect(unlimited.effects).toEqual([])
  })

  it.each([
    { limit: 0 },
    { limit: 1.5 },
    { limit: 100_001 },
    { weight: 0 },
    { weight: 101 },
    { weight: Number.NaN },
  ])('[R14] %o is outside the limits', (change) => {
    expect(changeSettings(lab, olga, change)).toMatchObject({
      refused: 'room_setting_out_of_range',
      details: { field: Object.keys(change)[0], min: 1 },
    })
  })

  it('[R20] settings that are what they were leave the same room', () => {
    expect(changeSettings(lab, olga, { weight: 1, limit: null, access: lab.access })).toEqual({
      next: lab,
      effects: [],
    })
    expect((changeSettings(lab, olga, {}) as RoomChanged).next).toBe(lab)
  })

  it('[R14] a member may not change settings', () => {
    expect(changeSettings(lab, someone('max'), { weight: 2 })).toMatchObject({ refused: 'room_forbidden' })
  })

  it('[R15] a room that becomes private disconnects strangers, one that opens nobody', () => {
    const opened = changeSettings(lab, olga, { access: 'open' }) as RoomChanged
    expect(opened).toMatchObject({ next: { access: 'open' }, effects: [] })
    expect(changeSettings(opened.next, olga, { access: 'private' })).toMatchObject({
      next: { access: 'private' },
      effects: [{ kind: 'disconnect_strangers' }],
    })
  })
})
