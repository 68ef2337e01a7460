// A store whose commits and claims are timed.

import type { Store } from '../ports/store.ts'

export function timedStore(store: Store, onCommit: (durationMs: number) => void): Store {
  const timed = async <Answer>(work: Promise<Answer>): Promise<Answer> => {
    const began = performance.now()
    const answer = await work
    onCommit(performance.now() - began)
    return answer
  }
  return {
    now: () => store.now(),
    read: (partition, keys) => store.read(partition, keys),
    list: (query) => store.list(query),
    queues: (partition) => store.queues(partition),
    counters: (partition) => store.counters(partition),
    commit: (change) => timed(store.commit(change)),
    claim: (claim) => timed(store.claim(claim)),
    due: (now, limit) => store.due(now, limit),
    feed: (from) => store.feed(from),
    describe: () => store.describe(),
    close: () => store.close(),
  }
}
