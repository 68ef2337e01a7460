// What the load of a whole run looks like: mostly short jobs, some that outlast a blink, few that outlast a grace
// period, so that every fault meets some of each.

import type { LoadShape } from './load/load.ts'
import { extensionNames } from './worker/chaos-extension.ts'

const { work, isolated, rest } = extensionNames

export const chaosLoad: LoadShape = {
  clients: 4,
  leastPauseMs: 200,
  mostPauseMs: 900,
  bulkShare: 0.15,
  cancelShare: 0.04,
  works: [
    { extension: work, weight: 50, leastMs: 0, mostMs: 60 },
    { extension: work, weight: 15, leastMs: 200, mostMs: 1_500 },
    { extension: work, weight: 5, leastMs: 4_000, mostMs: 9_000 },
    { extension: work, weight: 3, leastMs: 0, mostMs: 20, failures: 2 },
    { extension: isolated, weight: 12, leastMs: 100, mostMs: 2_000 },
    { extension: rest, weight: 10, leastMs: 100, mostMs: 2_500 },
    { extension: rest, weight: 3, leastMs: 4_000, mostMs: 8_000 },
    { extension: work, weight: 8, leastMs: 0, mostMs: 300, locks: true },
    { extension: work, weight: 2, leastMs: 4_000, mostMs: 7_000, locks: true },
    { extension: isolated, weight: 4, leastMs: 100, mostMs: 600, locks: true },
    { extension: rest, weight: 4, leastMs: 100, mostMs: 6_000, locks: true },
  ],
}
