// The one contract every store keeps: the same cases, run against whatever opens a store. Rules S1 to S36 of SPEC.md.

import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, it } from 'vitest'
import { claimCases } from './claim-contract.ts'
import { commitCases } from './commit-contract.ts'
import { concurrencyCases } from './concurrency-contract.ts'
import type { ContractCase, ContractScene, OpenedStore, OpenStore } from './contract-scene.ts'
import { dueCases } from './due-contract.ts'
import { feedCases } from './feed-contract.ts'
import { listCases } from './list-contract.ts'
import { partitionCases } from './partition-contract.ts'
import { queueCases } from './queue-contract.ts'
import { textCases } from './text-contract.ts'

export const storeContract: readonly ContractCase[] = [
  ...commitCases,
  ...listCases,
  ...queueCases,
  ...claimCases,
  ...dueCases,
  ...feedCases,
  ...concurrencyCases,
  ...textCases,
  ...partitionCases,
]

// A case takes milliseconds; one that waits for a feed which never speaks should say so soon.
const caseTimeoutMs = 15_000

export function describeStoreContract(name: string, open: OpenStore): void {
  describe(`the store contract, kept by ${name}`, () => {
    let shared: OpenedStore
    const own: OpenedStore[] = []

    beforeAll(async () => {
      shared = await open({})
    }, caseTimeoutMs)
    afterEach(async () => {
      for (const opened of own.splice(0)) await opened.close()
    })
    afterAll(async () => {
      await shared?.close()
    })

    for (const { title, run } of storeContract) {
      it(title, { timeout: caseTimeoutMs }, async () => {
        await run(sceneOf(shared, own, open))
      })
    }
  })
}

function sceneOf(shared: OpenedStore, own: OpenedStore[], open: OpenStore): ContractScene {
  const unique = (): string => randomUUID().slice(-12)
  return {
    store: shared.store,
    room: (suffix = '') => `room-${unique()}${suffix}`,
    name: () => `name-${unique()}`,
    openOwn: async (options = {}) => {
      const opened = await open(options)
      own.push(opened)
      return opened
    },
  }
}
