// A process that commits for ever and prints the id of each change once it is answered, made to be killed. Every
// change puts a job, counts it and announces it; what was printed must be found afterwards, once.

import { openRedisStore, openSqliteStore, type Store } from '@millrace/server'
import { changeId } from '../store-contract/change-id.ts'

export type CommitterTarget =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'redis'; readonly host: string; readonly port: number }

/** Several at once, so that a kill meets changes that share a transaction or a pipeline. */
export const committerRooms: readonly string[] = ['room-a', 'room-b', 'room-c', 'room-d']

if (import.meta.main) await main(JSON.parse(process.argv[2] ?? '') as CommitterTarget)

async function main(target: CommitterTarget): Promise<void> {
  const store = await openTarget(target)
  const lanes = [...committerRooms, ...committerRooms].map((room) => commitForEver(store, room))
  // A store that has gone away ends the process; what was printed before that still counts.
  await Promise.any(lanes.map((lane) => lane.then(() => undefined))).catch(() => undefined)
  process.exit(1)
}

export function openTarget(target: CommitterTarget): Promise<Store> {
  return target.kind === 'sqlite'
    ? openSqliteStore({ file: target.file })
    : openRedisStore({ nodes: [{ host: target.host, port: target.port }] })
}

async function commitForEver(store: Store, partition: string): Promise<void> {
  for (;;) {
    const id = changeId()
    const key = `job/${id}`
    const { outcome } = await store.commit({
      id,
      partition,
      expect: { [key]: 0 },
      put: [{ key, head: id, body: 'x'.repeat(200), lists: ['all'] }],
      add: { made: 1 },
      announce: [{ subject: key, event: id }],
    })
    if (outcome === 'committed') process.stdout.write(`${partition} ${id}\n`)
  }
}
