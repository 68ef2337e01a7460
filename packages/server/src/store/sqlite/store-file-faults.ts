// Why a file is refused when the embedded store is opened, in words an operator can act on. They are thrown in a
// thread, and an error loses its class on the way out of one: the other side gives it back by name.

export class StoreFileInUse extends Error {
  override readonly name = 'StoreFileInUse'
}

export class NewerStoreFile extends Error {
  override readonly name = 'NewerStoreFile'
}

export class StoreFileUnusable extends Error {
  override readonly name = 'StoreFileUnusable'
}

const classes = [StoreFileInUse, NewerStoreFile, StoreFileUnusable] as const
const classByName = new Map<string, (typeof classes)[number]>(classes.map((each) => [each.name, each]))

export function withItsClass(fault: unknown): unknown {
  if (!(fault instanceof Error)) return fault
  const Class = classByName.get(fault.name)
  return Class ? new Class(fault.message, { cause: fault.cause }) : fault
}

export const sqliteCodes = {
  busy: 5,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  noDatabase: 26,
} as const

const advice: Readonly<Record<number, string>> = {
  [sqliteCodes.readOnly]: 'Let this user write it and its directory, or give another file.',
  [sqliteCodes.io]: 'Look after its disk.',
  [sqliteCodes.corrupt]: 'It is damaged: restore it from a backup, or give another file.',
  [sqliteCodes.full]: 'Free some space on its disk.',
  [sqliteCodes.cannotOpen]: 'Let this user write it and its directory, or give another file.',
  [sqliteCodes.noDatabase]: 'Give a file that Millrace has made, or one that does not exist yet.',
}

/** SQLite's primary code of a fault, without the finer distinctions in its upper bits. */
export function sqliteCode(fault: unknown): number | null {
  const code = fault instanceof Error && 'errcode' in fault ? fault.errcode : null
  return typeof code === 'number' ? code & 0xff : null
}

/** The fault itself where it says already why the file is refused. */
export function unusable(file: string, cause: unknown): Error {
  if (cause instanceof Error && classByName.has(cause.name)) return cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  const what = advice[sqliteCode(cause) ?? 0] ?? 'Give another file.'
  return new StoreFileUnusable(`${file} cannot be used as a store: ${reason}. ${what}`, { cause })
}
