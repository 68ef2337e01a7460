// Partition and list names as the small numbers the tables use, and the revisions and depths that go with them.
// Kept in memory because the writer owns the file; what changed or was added is saved when the tables are settled.

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { inSteps, type Settling } from './settling.ts'

export interface PartitionRow {
  readonly id: number
  readonly name: string
  revision: number
  sequence: number
}

export interface ListRow {
  readonly id: number
  readonly partition: PartitionRow
  readonly kind: number
  readonly name: string
  depth: number
}

export class Names implements Settling {
  readonly #partitions = new Map<string, PartitionRow>()
  readonly #lists = new Map<string, ListRow>()
  readonly #listsById = new Map<number, ListRow>()
  readonly #waiting = new Set<ListRow>()
  readonly #changedPartitions = new Set<PartitionRow>()
  readonly #changedLists = new Set<ListRow>()
  #partitionsSetAside: readonly PartitionRow[] = []
  #listsSetAside: readonly ListRow[] = []
  readonly #findPartition: StatementSync
  readonly #savePartition: StatementSync
  readonly #findList: StatementSync
  readonly #saveList: StatementSync
  readonly #listAddress: StatementSync
  #lastPartition: number
  #lastList: number

  constructor(db: DatabaseSync) {
    this.#findPartition = db.prepare('SELECT id, revision, sequence FROM partition WHERE name = ?')
    this.#savePartition = db.prepare(
      `INSERT INTO partition (id, name, revision, sequence) VALUES (?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, sequence = excluded.sequence`,
    )
    this.#findList = db.prepare('SELECT id, depth FROM list WHERE partition = ? AND kind = ? AND name = ?')
    this.#saveList = db.prepare(
      `INSERT INTO list (id, partition, kind, name, depth) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET depth = excluded.depth`,
    )
    this.#listAddress = db.prepare(
      `SELECT p.name AS partition, l.kind, l.name FROM list l JOIN partition p ON p.id = l.partition WHERE l.id = ?`,
    )
    this.#lastPartition = lastId(db, 'partition')
    this.#lastList = lastId(db, 'list')
    const waiting = db.prepare('SELECT id FROM list WHERE kind = 2 AND depth > 0').all()
    for (const { id } of waiting) this.#waiting.add(this.listById(Number(id)))
  }

  /** The partition as it is, or null where nothing was ever written; asking adds nothing. */
  findPartition(name: string): PartitionRow | null {
    const known = this.#partitions.get(name)
    if (known) return known
    const row = this.#findPartition.get(name)
    if (!row) return null
    const [id, revision, sequence] = [Number(row['id']), Number(row['revision']), Number(row['sequence'])]
    const found = { id, name, revision, sequence }
    this.#partitions.set(name, found)
    return found
  }

  partition(name: string): PartitionRow {
    const known = this.findPartition(name)
    if (known) return known
    const added = { id: ++this.#lastPartition, name, revision: 0, sequence: 0 }
    this.#partitions.set(name, added)
    this.#changedPartitions.add(added)
    return added
  }

  findList(partition: PartitionRow, kind: number, name: string): ListRow | null {
    const address = `${partition.id}\t${kind}\t${name}`
    const known = this.#lists.get(address)
    if (known) return known
    const row = this.#findList.get(partition.id, kind, name)
    if (!row) return null
    return this.#keep(address, { id: Number(row['id']), partition, kind, name, depth: Number(row['depth']) })
  }

  list(partition: PartitionRow, kind: number, name: string): ListRow {
    const known = this.findList(partition, kind, name)
    if (known) return known
    const added = { id: ++this.#lastList, partition, kind, name, depth: 0 }
    this.#changedLists.add(added)
    return this.#keep(`${partition.id}\t${kind}\t${name}`, added)
  }

  listById(id: number): ListRow {
    const known = this.#listsById.get(id)
    if (known) return known
    const row = this.#listAddress.get(id)
    const partition = row && this.findPartition(String(row['partition']))
    const list = partition && this.findList(partition, Number(row['kind']), String(row['name']))
    if (!list) throw new Error(`a record stands in list ${id}, which is unknown`)
    return list
  }

  /** The queues that are not empty, of one partition or of all. */
  waiting(partition: string | undefined): ListRow[] {
    const all = [...this.#waiting]
    return partition === undefined ? all : all.filter((queue) => queue.partition.name === partition)
  }

  /** One revision further, with this many events. */
  advance(partition: PartitionRow, events: number): void {
    partition.revision += 1
    partition.sequence += events
    this.#changedPartitions.add(partition)
  }

  deepen(queue: ListRow, by: number): void {
    queue.depth += by
    this.#changedLists.add(queue)
    if (queue.depth === 0) this.#waiting.delete(queue)
    else this.#waiting.add(queue)
  }

  // As they are now: the next change of a revision or a depth is not for this settle.
  setAside(): void {
    this.#partitionsSetAside = [...this.#changedPartitions].map((partition) => ({ ...partition }))
    this.#listsSetAside = [...this.#changedLists].map((list) => ({ ...list }))
    this.#changedPartitions.clear()
    this.#changedLists.clear()
  }

  *save(): Iterable<unknown> {
    yield* inSteps(this.#partitionsSetAside, ({ id, name, revision, sequence }) =>
      this.#savePartition.run(id, name, revision, sequence),
    )
    yield* inSteps(this.#listsSetAside, ({ id, partition, kind, name, depth }) =>
      this.#saveList.run(id, partition.id, kind, name, depth),
    )
  }

  saved(): void {
    this.#partitionsSetAside = []
    this.#listsSetAside = []
  }

  #keep(address: string, list: ListRow): ListRow {
    this.#lists.set(address, list)
    this.#listsById.set(list.id, list)
    return list
  }
}

function lastId(db: DatabaseSync, table: 'partition' | 'list'): number {
  return Number(db.prepare(`SELECT coalesce(max(id), 0) AS last FROM ${table}`).get()?.['last'])
}
