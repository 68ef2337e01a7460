// Partition and list names as the small numbers the tables use, and the revisions and depths that go with them.
// Kept in memory because the writer owns the file; written back once per transaction, forgotten after a rollback.

import type { DatabaseSync, StatementSync } from 'node:sqlite'

export interface PartitionRow {
  readonly id: number
  readonly name: string
  revision: number
  sequence: number
}

export interface ListRow {
  readonly id: number
  depth: number
}

export class Names {
  readonly #partitions = new Map<string, PartitionRow>()
  readonly #lists = new Map<string, ListRow>()
  readonly #listsById = new Map<number, ListRow>()
  readonly #changedPartitions = new Set<PartitionRow>()
  readonly #changedLists = new Set<ListRow>()
  readonly #findPartition: StatementSync
  readonly #addPartition: StatementSync
  readonly #savePartition: StatementSync
  readonly #findList: StatementSync
  readonly #addList: StatementSync
  readonly #saveList: StatementSync
  readonly #listAddress: StatementSync

  constructor(db: DatabaseSync) {
    this.#findPartition = db.prepare('SELECT id, revision, sequence FROM partition WHERE name = ?')
    this.#addPartition = db.prepare('INSERT INTO partition (name, revision, sequence) VALUES (?, 0, 0)')
    this.#savePartition = db.prepare('UPDATE partition SET revision = ?, sequence = ? WHERE id = ?')
    this.#findList = db.prepare('SELECT id, depth FROM list WHERE partition = ? AND kind = ? AND name = ?')
    this.#addList = db.prepare('INSERT INTO list (partition, kind, name, depth) VALUES (?, ?, ?, 0)')
    this.#listAddress = db.prepare('SELECT partition, kind, name, depth FROM list WHERE id = ?')
    this.#saveList = db.prepare('UPDATE list SET depth = ? WHERE id = ?')
  }

  /** The partition as it is, or null where nothing was ever written; asking adds nothing to the file. */
  findPartition(name: string): PartitionRow | null {
    const known = this.#partitions.get(name)
    if (known) return known
    const row = this.#findPartition.get(name)
    if (!row) return null
    const found = {
      id: Number(row['id']),
      name,
      revision: Number(row['revision']),
      sequence: Number(row['sequence']),
    }
    this.#partitions.set(name, found)
    return found
  }

  partition(name: string): PartitionRow {
    const known = this.findPartition(name)
    if (known) return known
    const id = Number(this.#addPartition.run(name).lastInsertRowid)
    const added = { id, name, revision: 0, sequence: 0 }
    this.#partitions.set(name, added)
    return added
  }

  findList(partition: number, kind: number, name: string): ListRow | null {
    const address = `${partition}\t${kind}\t${name}`
    const known = this.#lists.get(address)
    if (known) return known
    const row = this.#findList.get(partition, kind, name)
    if (!row) return null
    return this.#keep(address, { id: Number(row['id']), depth: Number(row['depth']) })
  }

  list(partition: number, kind: number, name: string): ListRow {
    const known = this.findList(partition, kind, name)
    if (known) return known
    const id = Number(this.#addList.run(partition, kind, name).lastInsertRowid)
    return this.#keep(`${partition}\t${kind}\t${name}`, { id, depth: 0 })
  }

  /** One revision further, with this many events. */
  advance(partition: PartitionRow, events: number): void {
    partition.revision += 1
    partition.sequence += events
    this.#changedPartitions.add(partition)
  }

  deepen(id: number, by: number): void {
    const list = this.#listsById.get(id) ?? this.#findById(id)
    list.depth += by
    this.#changedLists.add(list)
  }

  save(): void {
    for (const row of this.#changedPartitions) this.#savePartition.run(row.revision, row.sequence, row.id)
    for (const row of this.#changedLists) this.#saveList.run(row.depth, row.id)
    this.#changedPartitions.clear()
    this.#changedLists.clear()
  }

  forget(): void {
    this.#partitions.clear()
    this.#lists.clear()
    this.#listsById.clear()
    this.#changedPartitions.clear()
    this.#changedLists.clear()
  }

  #keep(address: string, list: ListRow): ListRow {
    this.#lists.set(address, list)
    this.#listsById.set(list.id, list)
    return list
  }

  #findById(id: number): ListRow {
    const row = this.#listAddress.get(id)
    if (!row) throw new Error(`a record stands in list ${id}, which is unknown`)
    const { partition, kind, name, depth } = row
    return this.#keep(`${partition}\t${kind}\t${name}`, { id, depth: Number(depth) })
  }
}
