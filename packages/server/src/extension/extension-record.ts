// An extension as the store keeps it. Workers come and go in the head; the schemas, which are large and change only with
// the versions, are the body.

import {
  type Extension,
  type ExtensionId,
  type ExtensionVersion,
  extensionKey,
  type Home,
  isRefusal,
  parseExtensionId,
  type Refusal,
  type Room,
  refuse,
} from '@millrace/domain'
import type { Announcement, Partition, Put, RecordKey, StoredRecord } from '../ports/store.ts'

export interface ExtensionPlace {
  readonly partition: Partition
  readonly key: RecordKey
}

export const extensionsList = 'extensions'

/** Told to people: what can be run has changed. */
const schemaInvalidated = 'schema:invalidated'
/** For the replicas, which remember extensions: another worker, or another admission. */
const extensionChanged = 'extension:changed'

/** Where what belongs to no room is kept. */
export const systemPartition = 'system'

export function extensionPlace(id: ExtensionId, room: string | null): ExtensionPlace {
  if (id.scope === 'room' && room === null) throw new TypeError(`${extensionKey(id)} needs its room`)
  const partition = id.scope === 'room' && room !== null ? room : systemPartition
  return { partition, key: `extension/${extensionKey(id)}` }
}

/** For an id as it stands in an address: one that no extension can have is answered like one that none has. */
export function placeInReach(room: Room, { scope, category, name }: ExtensionId): ExtensionPlace | Refusal {
  const id = parseExtensionId(scope, category, name)
  return isRefusal(id) ? refuse('extension_not_found') : extensionPlace(id, room.name)
}

export function homeOf(room: Room, { scope }: ExtensionId): Home {
  return scope === 'room' ? room : null
}

export function putExtension(extension: Extension, before: Extension | null, expect: number): Put {
  const { key } = extensionPlace(extension.id, extension.room)
  const put = { key, expect, head: headText(extension), lists: [extensionsList] }
  return before !== null && hashesOf(before) === hashesOf(extension)
    ? put
    : { ...put, body: bodyText(extension) }
}

export function announceExtension(id: ExtensionId, key: RecordKey, invalidates: boolean): Announcement {
  const { scope, category, name } = id
  const type = invalidates ? schemaInvalidated : extensionChanged
  return { subject: key, event: JSON.stringify({ type, scope, category, name }) }
}

export function extensionOfRecord({ head, body }: StoredRecord): Extension {
  const extension = JSON.parse(head) as Omit<Extension, 'versions'> & {
    readonly versions: readonly HeadVersion[]
  }
  const schemas = new Map(JSON.parse(body) as readonly (readonly [string, ExtensionVersion['schema']])[])
  const versions = extension.versions.map((version) => {
    const schema = schemas.get(version.hash)
    if (schema === undefined)
      throw new Error(`${extensionKey(extension.id)} has lost the schema ${version.hash}`)
    return { ...version, schema }
  })
  return { ...extension, versions }
}

type HeadVersion = Omit<ExtensionVersion, 'schema'>

function headText(extension: Extension): string {
  const versions = extension.versions.map(({ schema: _, ...version }): HeadVersion => version)
  return JSON.stringify({ ...extension, versions })
}

function bodyText({ versions }: Extension): string {
  return JSON.stringify(versions.map(({ hash, schema }) => [hash, schema]))
}

function hashesOf({ versions }: Extension): string {
  return versions
    .map(({ hash }) => hash)
    .sort()
    .join(' ')
}
