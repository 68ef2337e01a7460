// The extensions as this replica knows them: one by its key, those a name can mean in a room, and all within its reach.

import type { Extension, ExtensionId, ExtensionName, Scope } from '@millrace/domain'
import { type Known, RecordMemory } from '../memory/record-memory.ts'
import { Turns } from '../memory/turns.ts'
import type { Partition, RecordKey, Store } from '../ports/store.ts'
import {
  type ExtensionPlace,
  extensionOfRecord,
  extensionPlace,
  extensionsList,
  systemPartition,
} from './extension-record.ts'

const scopes: readonly Scope[] = ['room', 'global', 'builtin']
const recordsAtOnce = 200

export class Extensions {
  /** Changes of one extension by this replica follow each other. */
  readonly turns: Turns = new Turns()
  readonly #store: Store
  readonly #memory: RecordMemory<Extension>

  constructor(store: Store) {
    this.#store = store
    this.#memory = new RecordMemory(store, extensionOfRecord)
  }

  /** `home` is the room of an extension of scope room and null for the others. */
  get(home: string | null, id: ExtensionId): Promise<Known<Extension> | null> {
    return this.at(extensionPlace(id, home))
  }

  at({ partition, key }: ExtensionPlace): Promise<Known<Extension> | null> {
    return this.#memory.get(partition, key)
  }

  /** As the store has it now, for a decision whose refusal would reach no commit that notices an old memory. */
  fresh(place: ExtensionPlace): Promise<Known<Extension> | null> {
    this.forget(place.partition, place.key)
    return this.at(place)
  }

  /** What a submit in this room can mean by the name. */
  async inReach(room: string, { category, name }: ExtensionName): Promise<readonly Extension[]> {
    const found = await Promise.all(scopes.map((scope) => this.get(room, { scope, category, name })))
    return found.filter((known) => known !== null).map(({ value }) => value)
  }

  /** Everything that can be run in this room. It may lag behind commits. */
  async listIn(room: string): Promise<readonly Extension[]> {
    const lag = { mayLag: true } as const
    const [own, wide] = await Promise.all([this.#list(room, lag), this.#list(systemPartition, lag)])
    return [...own, ...wide]
  }

  /** The global and the built-in ones. */
  listWide(): Promise<readonly Extension[]> {
    return this.#list(systemPartition)
  }

  forget(partition: Partition, key: RecordKey): void {
    this.#memory.forget(partition, key)
  }

  forgetAll(): void {
    this.#memory.forgetAll()
  }

  async #list(partition: Partition, lag: { readonly mayLag?: true } = {}): Promise<readonly Extension[]> {
    const found: Extension[] = []
    for (let after: RecordKey | undefined; ; ) {
      const records = await this.#store.list({
        partition,
        lists: [extensionsList],
        order: 'oldest',
        limit: recordsAtOnce,
        ...lag,
        ...(after !== undefined && { after }),
      })
      found.push(...records.map(extensionOfRecord))
      if (records.length < recordsAtOnce) return found
      after = records.at(-1)?.key
    }
  }
}
