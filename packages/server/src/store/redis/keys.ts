// Every Redis key, described once. `{n}` is the shard's hash tag, so all keys a script touches lie in one slot of a
// cluster. Five keys per partition and a handful per shard: their number does not grow with jobs, workers or queues.
//
// <prefix>:meta            hash    shards, format, epoch: written once, a mismatch refused
// <prefix>:{n}:h:<p>       hash    key → places, attempt, head; a line each
// <prefix>:{n}:b:<p>       hash    key → body
// <prefix>:{n}:l:<p>       zset    by name: `-<list> TAB <key>`, `*<wide list> TAB <key>` and `q<queue id> TAB <score><key>`;
//                                  for the records of a group `-<list> TAB <how their keys begin> TAB <group>`
// <prefix>:{n}:g:<p>       hash    of groups: `k<group>` its keys by tab, `n<group> TAB <list>` how many are still in it (no
//                                  list: how many still have its dueAt), `t<group>` the sum of these
// <prefix>:{n}:n:<p>       hash    #revision, #sequence, `c<counter>` and `q<queue id>` (its depth)
// <prefix>:{n}:due         zset    `<p> TAB <key>` or `<p> TAB TAB <group>` by dueAt
// <prefix>:{n}:partitions  set     every partition of the shard that was ever written
// <prefix>:{n}:queues      zset    by name: `<p> TAB <queue id> TAB <queue>`, the queues that are not empty
// <prefix>:{n}:log         stream  one entry per change: p, r(evision), s(equence), k(eys), e(vents), n(umber)
// <prefix>:{n}:logged      string  the number of the log's newest entry; from 1 on, without gaps
// <prefix>:{n}:due-lease   string  the replica that is told what is due
// <prefix>:{n}:a:<minute>  hash    change id → its answer; expires

import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Partition } from '../../ports/store.ts'

export interface PartitionKeys {
  readonly heads: string
  readonly bodies: string
  readonly lists: string
  readonly numbers: string
  readonly groups: string
}

export interface ShardKeys {
  readonly due: string
  readonly log: string
  readonly logged: string
  readonly partitions: string
  readonly queues: string
  readonly dueLease: string
}

export class Keys {
  readonly shards: number
  readonly meta: string
  readonly #prefix: string

  constructor(prefix: string, shards: number) {
    this.#prefix = prefix
    this.shards = shards
    this.meta = `${prefix}:meta`
  }

  shardOf(partition: Partition): number {
    return crc32(partition) % this.shards
  }

  partition(partition: Partition): PartitionKeys {
    const tag = this.#tag(this.shardOf(partition))
    return {
      heads: `${tag}:h:${partition}`,
      bodies: `${tag}:b:${partition}`,
      lists: `${tag}:l:${partition}`,
      numbers: `${tag}:n:${partition}`,
      groups: `${tag}:g:${partition}`,
    }
  }

  shard(shard: number): ShardKeys {
    const tag = this.#tag(shard)
    return {
      due: `${tag}:due`,
      log: `${tag}:log`,
      logged: `${tag}:logged`,
      partitions: `${tag}:partitions`,
      queues: `${tag}:queues`,
      dueLease: `${tag}:due-lease`,
    }
  }

  /** The eleven keys of the commit and claim scripts, in their order. */
  forWriting(partition: Partition, changeId: string): string[] {
    const shard = this.shardOf(partition)
    const { heads, bodies, lists, numbers, groups } = this.partition(partition)
    const { due, log, logged, partitions, queues } = this.shard(shard)
    return [
      heads,
      bodies,
      lists,
      numbers,
      due,
      log,
      partitions,
      queues,
      `${this.#tag(shard)}:a:${minuteOf(changeId)}`,
      logged,
      groups,
    ]
  }

  #tag(shard: number): string {
    return `${this.#prefix}:{${shard}}`
  }
}

/**
 * Stands for a queue wherever its records are named: the real name holds a schema's hash and is longer than all else
 * there, and Lua reads every letter of every text it is given. 128 bits, so that no two names meet.
 */
export function queueId(queue: string): string {
  return hash('sha256', queue, 'base64url').slice(0, 22)
}

// A UUIDv7 begins with its instant, so whoever asks again about a change looks in the same minute's hash.
function minuteOf(changeId: string): number {
  const instant = Number.parseInt(changeId.replace('-', '').slice(0, 12), 16)
  return Number.isNaN(instant) ? 0 : Math.floor(instant / 60_000)
}
