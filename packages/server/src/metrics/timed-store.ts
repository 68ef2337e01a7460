// A store whose commits and claims are timed, and that tells when none is under way any more.

import type { Store } from '../ports/store.ts'

export interface CommitWatch {
  answered(durationMs: number): void
  /** Somebody waits for a commit. */
  stirs(): void
  /** Nobody does any more. */
  rests(): void
}

export function timedStore(store: Store, watch: CommitWatch): Store {
  let underWay = 0
  const timed = async <Answer>(work: Promise<Answer>): Promise<Answer> => {
    const began = performance.now()
    if (underWay === 0) watch.stirs()
    underWay += 1
    try {
      const answer = await work
      watch.answered(performance.now() - began)
      return answer
    } finally {
      underWay -= 1
      if (underWay === 0) watch.rests()
    }
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
