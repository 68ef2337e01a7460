// What a room may be called. Names become parts of URLs, store keys and socket channels, so the alphabet is narrow and
// words that already mean something there are kept back.

import type { RoomName } from '../ids.ts'
import { type Refusal, refuse } from '../refusal.ts'

const roomNameMaxLength = 64

const allowed = /^[a-z0-9][a-z0-9._-]*$/

const reserved: Readonly<Record<string, readonly string[]>> = {
  'is the name of a scope': ['builtin', 'global', 'public', 'room'],
  'is a partition of the store': ['system'],
  'is a part of the address space': [
    'admin',
    'api',
    'auth',
    'docs',
    'health',
    'metrics',
    'rooms',
    'socket.io',
  ],
  'stands for something else than one room': [
    'all',
    'any',
    'default',
    'me',
    'new',
    'none',
    'null',
    'undefined',
  ],
}

const reasonByWord: ReadonlyMap<string, string> = new Map(
  Object.entries(reserved).flatMap(([reason, words]) => words.map((word) => [word, reason] as const)),
)

export const reservedRoomNames: readonly string[] = [...reasonByWord.keys()]

export function parseRoomName(text: string): RoomName | Refusal {
  if (text.length > roomNameMaxLength) {
    return refuse('room_name_invalid', `A room's name has at most ${roomNameMaxLength} characters.`)
  }
  if (!allowed.test(text)) {
    return refuse(
      'room_name_invalid',
      "A room's name consists of lower-case letters, digits, '-', '_' and '.', and begins with a letter or a digit.",
    )
  }
  const reason = reasonByWord.get(text)
  if (reason !== undefined) return refuse('room_name_reserved', `'${text}' ${reason} and cannot name a room.`)
  return text as RoomName
}
