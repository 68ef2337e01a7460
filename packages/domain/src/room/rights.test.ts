import { describe, expect, it } from 'vitest'
import type { RoomName, UserName } from '../ids.ts'
import type { Caller, UserRole } from './caller.ts'
import { enterRoom, mayCancel, mayManage, mayRead, maySubmit } from './rights.ts'
import { createRoom, defaultRoomSettings, type Room, type RoomAccess } from './room.ts'

const someone = (user: string, role: UserRole = 'user'): Caller => ({ user: user as UserName, role })

const room = (access: RoomAccess): Room => ({
  name: 'lab' as RoomName,
  access,
  members: [
    { user: 'olga' as UserName, role: 'owner' },
    { user: 'max' as UserName, role: 'member' },
    { user: 'vera' as UserName, role: 'viewer' },
  ],
  settings: defaultRoomSettings,
  createdAt: 0,
})

describe('creating a room', () => {
  const request = { name: 'lab', access: 'private' } as const

  it('[R3] whoever creates a room owns it', () => {
    expect(createRoom(null, request, someone('olga'), 7)).toEqual({
      name: 'lab',
      access: 'private',
      members: [{ user: 'olga', role: 'owner' }],
      settings: { limit: null, weight: 1 },
      createdAt: 7,
    })
  })

  it('[R3] a guest cannot create a room', () => {
    expect(createRoom(null, request, someone('g', 'guest'), 7)).toMatchObject({
      refused: 'room_guest_cannot_own',
    })
  })

  it('[R4] a name that is taken is refused', () => {
    expect(createRoom(room('open'), request, someone('max'), 7)).toMatchObject({ refused: 'room_name_taken' })
  })

  it('[R1] a room cannot be created under a name that is none', () => {
    expect(createRoom(null, { ...request, name: 'A B' }, someone('max'), 7)).toMatchObject({
      refused: 'room_name_invalid',
    })
  })
})

function rightsOf(access: RoomAccess, user: string, role: UserRole): string {
  const [lab, who] = [room(access), someone(user, role)]
  const rights = [
    mayRead(lab, who) ? 'read' : '',
    maySubmit(lab, who) ? 'submit' : '',
    mayManage(lab, who) ? 'manage' : '',
  ]
  return rights.filter(Boolean).join(' ')
}

describe('rights', () => {
  it.each<[string, RoomAccess, string, string]>([
    ['an owner reads, submits and manages', 'private', 'olga', 'read submit manage'],
    ['a member reads and submits', 'private', 'max', 'read submit'],
    ['a viewer reads', 'private', 'vera', 'read'],
    ['being listed as viewer weighs more than that the room is open', 'open', 'vera', 'read'],
  ])('[R5] %s', (_title, access, user, expected) => {
    expect(rightsOf(access, user, 'user')).toBe(expected)
  })

  it.each<[string, RoomAccess, UserRole, string]>([
    ['in a private room a stranger may nothing', 'private', 'user', ''],
    ['in an open room everybody is a member', 'open', 'user', 'read submit'],
    ['in an open room a guest is a member', 'open', 'guest', 'read submit'],
  ])('[R6] %s', (_title, access, role, expected) => {
    expect(rightsOf(access, 'sam', role)).toBe(expected)
  })

  it.each<[string, RoomAccess, string]>([
    ['in a private room', 'private', 'sam'],
    ['even where listed as viewer', 'open', 'vera'],
  ])('[R7] an admin stands as owner %s', (_where, access, user) => {
    expect(rightsOf(access, user, 'admin')).toBe('read submit manage')
  })

  it('[R8] a private room answers a stranger exactly like a room that does not exist', () => {
    for (const right of ['read', 'submit', 'manage'] as const) {
      const hidden = enterRoom(room('private'), someone('sam'), right)
      expect(hidden).toMatchObject({ refused: 'room_not_found' })
      expect(hidden).toEqual(enterRoom(null, someone('sam'), right))
    }
  })

  it('[R9] somebody who may read but not more is told that it is forbidden', () => {
    expect(enterRoom(room('private'), someone('vera'), 'submit')).toMatchObject({
      refused: 'room_forbidden',
      details: { right: 'submit' },
    })
    expect(enterRoom(room('open'), someone('sam'), 'manage')).toMatchObject({ refused: 'room_forbidden' })
  })

  it('[R9] somebody with the right gets the room', () => {
    const lab = room('private')
    expect(enterRoom(lab, someone('max'), 'submit')).toBe(lab)
  })
})

describe('a token for a worker of one room', () => {
  const tokenOf = (user: string, onlyRoom: string, role: UserRole = 'user'): Caller => ({
    ...someone(user, role),
    onlyRoom: onlyRoom as RoomName,
  })

  it('[R16] reads and submits in its room as its user, and manages nothing, not even for an owner or an admin', () => {
    for (const who of [tokenOf('olga', 'lab'), tokenOf('root', 'lab', 'admin')]) {
      expect([mayRead, maySubmit, mayManage].map((may) => may(room('private'), who))).toEqual([
        true,
        true,
        false,
      ])
    }
    expect(maySubmit(room('open'), tokenOf('vera', 'lab'))).toBe(false)
    expect(enterRoom(room('private'), tokenOf('stan', 'lab'), 'read')).toMatchObject({
      refused: 'room_not_found',
    })
  })

  it('[R16] finds no other room, though it be open or its user an admin, and makes none', () => {
    expect(enterRoom(room('open'), tokenOf('max', 'other'), 'read')).toMatchObject({
      refused: 'room_not_found',
    })
    expect(mayRead(room('open'), tokenOf('root', 'other', 'admin'))).toBe(false)
    const request = { name: 'new-lab', access: 'open' } as const
    expect(createRoom(null, request, tokenOf('max', 'lab'), 7)).toMatchObject({ refused: 'room_forbidden' })
  })
})

describe('cancelling a job', () => {
  it.each([
    ['max', 'max', true],
    ['olga', 'max', true],
    ['max', 'olga', false],
    ['vera', 'vera', false],
    ['stan', 'stan', false],
  ])('[R21] %s may cancel a job of %s: %s', (user, submitter, may) => {
    expect(mayCancel(room('private'), someone(user), submitter as UserName)).toBe(may)
  })
})

describe('a pool and the rooms', () => {
  const pool = someone('pool', 'pool')

  it.each<RoomAccess>(['open', 'private'])(
    '[R22] reports on jobs of a room that is %s, which does not exist for it otherwise',
    (access) => {
      const lab = room(access)
      expect(enterRoom(lab, pool, 'report')).toBe(lab)
      for (const right of ['read', 'submit', 'manage'] as const) {
        expect(enterRoom(lab, pool, right)).toEqual(enterRoom(null, pool, right))
      }
      expect(mayCancel(lab, pool, pool.user)).toBe(false)
    },
  )

  it('[R22] is not in a room by being listed there, and makes none', () => {
    const lab = { ...room('open'), members: [{ user: pool.user, role: 'owner' as const }] }
    expect(mayRead(lab, pool)).toBe(false)
    expect(createRoom(null, { name: 'second', access: 'open' }, pool, 7)).toMatchObject({
      refused: 'room_forbidden',
    })
  })

  it('[R22] whoever may read a room may report on a job they were given there, and no stranger', () => {
    expect(enterRoom(room('private'), someone('vera'), 'report')).toMatchObject({ name: 'lab' })
    expect(enterRoom(room('private'), someone('eve'), 'report')).toMatchObject({ refused: 'room_not_found' })
  })
})
