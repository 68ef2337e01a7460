// Bugs that a simulation has to find, each put between the real use-cases and what they stand on. Without one of them
// nothing stands in between.

import type { JobId } from '@millrace/domain'
import { type AttemptReport, type Change, jobOfRecord, type Put, type Store } from '@millrace/server'

export interface PlantedBug {
  readonly store?: (store: Store) => Store
  readonly report?: (store: Store, report: AttemptReport) => Promise<AttemptReport>
  /** Since when upkeep believes that workers could be heard. */
  readonly steadySince?: (real: number) => number
  readonly ignoresCancels?: boolean
  readonly losesDueJobs?: boolean
}

export const noBug: PlantedBug = {}

export type BugName =
  | 'applies a change whatever version it was decided on'
  | 'lets any token speak for the current attempt'
  | 'expires leases right after a restart'
  | 'acknowledges a submit before it is committed'
  | 'does not look at limits when it claims'
  | 'forgets to count down what no longer runs'
  | 'loses an event of the log now and then'
  | 'does nothing about a cancel'
  | 'never looks at jobs that are due'

export const plantedBugs: Readonly<Record<BugName, PlantedBug>> = {
  'applies a change whatever version it was decided on': {
    store: (store) => commitsAs(store, withoutExpectations),
  },
  'lets any token speak for the current attempt': { report: speakForCurrent },
  'expires leases right after a restart': { steadySince: () => 0 },
  'acknowledges a submit before it is committed': { store: answersSubmitsEarly },
  'does not look at limits when it claims': {
    store: (store) => changed(store, { claim: (claim) => store.claim({ ...claim, limits: [] }) }),
  },
  'forgets to count down what no longer runs': {
    store: (store) => commitsAs(store, ({ add: _add, ...change }) => change),
  },
  'loses an event of the log now and then': { store: withLeakyFeed },
  'does nothing about a cancel': { ignoresCancels: true },
  'never looks at jobs that are due': { losesDueJobs: true },
}

function changed(store: Store, members: Partial<Store>): Store {
  const bound: Store = {
    now: () => store.now(),
    read: (partition, keys) => store.read(partition, keys),
    list: (query) => store.list(query),
    queues: (partition) => store.queues(partition),
    counters: (partition) => store.counters(partition),
    commit: (change) => store.commit(change),
    claim: (claim) => store.claim(claim),
    due: (now, limit) => store.due(now, limit),
    feed: (from) => store.feed(from),
    describe: () => store.describe(),
    close: () => store.close(),
  }
  return { ...bound, ...members }
}

function commitsAs(store: Store, alter: (change: Change) => Change): Store {
  return changed(store, { commit: (change) => store.commit(alter(change)) })
}

function withoutExpectations({ expect: _expect, put = [], ...change }: Change): Change {
  // New records keep theirs: without it two submits under one key would be two jobs for another reason.
  const bare = (one: Put): Put => {
    if (one.expect === 0) return one
    const { expect: _version, ...rest } = one
    return rest
  }
  return { ...change, put: put.map(bare) }
}

function answersSubmitsEarly(store: Store): Store {
  return changed(store, {
    commit: (change) => {
      const committed = store.commit(change)
      if (!change.put?.some(({ key, expect }) => key.startsWith('job/') && expect === 0)) return committed
      committed.catch(() => undefined)
      return Promise.resolve({ outcome: 'committed', revision: 0, sequence: 0 })
    },
  })
}

async function speakForCurrent(store: Store, report: AttemptReport): Promise<AttemptReport> {
  const [record] = await store.read(report.room, [`job/${report.job satisfies JobId}`])
  const token = record ? jobOfRecord(record).attempt?.token : undefined
  if (token === undefined) return report
  return { ...report, token, events: report.events.map((event) => ({ ...event, token }) as typeof event) }
}

const everyNth = 25

function withLeakyFeed(store: Store): Store {
  return changed(store, {
    feed: (from) => {
      const feed = store.feed(from)
      return {
        ready: feed.ready,
        close: () => feed.close(),
        [Symbol.asyncIterator]: async function* () {
          let count = 0
          for await (const item of feed) {
            count += 1
            if (item.kind === 'reset' || count % everyNth !== 0) yield item
          }
        },
      }
    },
  })
}
