// What a case about rooms works with: a store, the rooms as one replica knows them, and people with accounts.

import { randomUUID } from 'node:crypto'
import {
  type Caller,
  isRefusal,
  type Refusal,
  type RoomName,
  type UserName,
  type UserRole,
} from '@millrace/domain'
import { createRoom, Rooms, type Store } from '@millrace/server'
import { expect } from 'vitest'
import { drain, eventsOf } from '../store-contract/feed-reader.ts'

export interface RoomCase {
  readonly title: string
  readonly run: (scene: RoomScene) => Promise<void>
}

const accounts: ReadonlyMap<string, UserRole> = new Map([
  ['olga', 'user'],
  ['max', 'user'],
  ['sam', 'user'],
  ['gast', 'guest'],
  ['root', 'admin'],
])

export function someone(user: string): Caller {
  return { user: user as UserName, role: accounts.get(user) ?? 'user' }
}

export function workerOf(user: string, onlyRoom: string): Caller {
  return { ...someone(user), onlyRoom: onlyRoom as RoomName }
}

export class RoomScene {
  readonly store: Store
  readonly rooms: Rooms
  readonly roleOfUser: (name: string) => Promise<UserRole | null> = async (name) => accounts.get(name) ?? null

  constructor(store: Store) {
    this.store = store
    this.rooms = new Rooms(store)
  }

  newName(): string {
    return `room-${randomUUID().slice(0, 12)}`
  }

  /** Olga's, private unless said otherwise. */
  async room(access: 'open' | 'private' = 'private', name: string = this.newName()): Promise<string> {
    accepted(await createRoom(this, someone('olga'), { name, access }))
    return name
  }

  /** What a piece of work announces in these partitions, beside its entries in the audit trail. */
  async announced(
    partitions: readonly string[],
    work: () => Promise<unknown>,
  ): Promise<readonly Announced[]> {
    const feed = this.store.feed('now')
    await feed.ready
    await work()
    const items = await drain(this.store, feed, partitions)
    const told = eventsOf(items).filter(({ subject }) => !subject.startsWith('audit/'))
    return told.map(({ subject, event }) => ({ subject, event: JSON.parse(event) as unknown }))
  }
}

interface Announced {
  readonly subject: string
  readonly event: unknown
}

export function accepted<Value>(answer: Value | Refusal): Value {
  if (isRefusal(answer)) expect.fail(`${answer.refused}: ${answer.message}`)
  return answer
}
