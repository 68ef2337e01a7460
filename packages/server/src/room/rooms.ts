// The rooms as this replica knows them, and the door that every use-case of a room goes through.

import {
  type Caller,
  enterRoom,
  isRefusal,
  mayRead,
  parseRoomName,
  type Refusal,
  type Room,
  type RoomRight,
  refuse,
} from '@millrace/domain'
import { type Known, RecordMemory } from '../memory/record-memory.ts'
import type { Partition, RecordKey, Store } from '../ports/store.ts'
import { roomKey, roomOfRecord } from './room-record.ts'

export class Rooms {
  readonly #memory: RecordMemory<Room>

  constructor(store: Store) {
    this.#memory = new RecordMemory(store, roomOfRecord)
  }

  /** For a name that was parsed: the room's partition is its name. */
  get(name: string): Promise<Known<Room> | null> {
    return this.#memory.get(name, roomKey(name))
  }

  /** As the store has it now, for a decision whose refusal would reach no commit that notices an old memory. */
  fresh(name: string): Promise<Known<Room> | null> {
    this.forget(name, roomKey(name))
    return this.get(name)
  }

  forget(partition: Partition, key: RecordKey): void {
    this.#memory.forget(partition, key)
  }

  forgetAll(): void {
    this.#memory.forgetAll()
  }
}

/** A name that no room can have is answered like one that no room has, or the two would tell each other apart. */
export async function openRoom(
  rooms: Rooms,
  name: string,
  who: Caller,
  right: RoomRight,
): Promise<Room | Refusal> {
  const parsed = parseRoomName(name)
  if (isRefusal(parsed)) return refuse('room_not_found')
  const known = await rooms.get(parsed)
  return enterRoom(known?.value ?? null, who, right)
}

/** Who may see the room as it is now; nobody, where there is none. */
export async function readersOf(rooms: Rooms, name: string): Promise<(who: Caller) => boolean> {
  const known = await rooms.get(name)
  return (who) => known !== null && mayRead(known.value, who)
}
