// Made-up extensions, rooms and callers for the tests of this folder.

import type { RoomName, SchemaHash, UserName, WorkerId } from '../ids.ts'
import { isRefusal, type Refusal } from '../refusal.ts'
import type { Caller, UserRole } from '../room/caller.ts'
import type { Room, RoomAccess } from '../room/room.ts'
import type { Extension } from './extension.ts'
import { type ExtensionPolicy, extensionPolicy } from './extension-policy.ts'
import type { Registration, Surroundings } from './register.ts'

export const quiet: Surroundings = { builtins: [], globals: [], pinned: new Map() }

export function someone(user: string, role: UserRole = 'user'): Caller {
  return { user: user as UserName, role }
}

/** Olga owns it, max is a member, vera a viewer. */
export function sampleRoom(access: RoomAccess = 'private'): Room {
  return {
    name: 'lab' as RoomName,
    access,
    members: [
      { user: 'olga' as UserName, role: 'owner' },
      { user: 'max' as UserName, role: 'member' },
      { user: 'mia' as UserName, role: 'member' },
      { user: 'vera' as UserName, role: 'viewer' },
    ],
    settings: { limit: null, weight: 1 },
    createdAt: 0,
  }
}

export function samplePolicy(): ExtensionPolicy {
  return accepted(extensionPolicy({}))
}

/** The title makes the hash: two registrations of one title carry the same schema. */
export function registration(
  title: string,
  worker: string,
  change: Partial<Registration> = {},
): Registration {
  return {
    id: { scope: 'room', category: 'modifiers', name: 'Relax' },
    home: sampleRoom(),
    worker: worker as WorkerId,
    schema: { hash: hash(title), schema: { title } },
    policy: samplePolicy(),
    ...change,
  }
}

export function hash(title: string): SchemaHash {
  return `#${title}` as SchemaHash
}

export function accepted<Value>(answer: Value | Refusal): Value {
  if (isRefusal(answer)) throw new Error(`${answer.refused}: ${answer.message}`)
  return answer
}

/** Who serves what: `{ one: ['w1'], two: [] }`. */
export function serving(extension: Extension): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(extension.versions.map(({ hash: key, workers }) => [key.slice(1), workers]))
}
