// A server and its pools, on a real store, over real HTTP and sockets. Run on each store by the test files beside it.

import { describe, expect, it } from 'vitest'
import type { OpenStore } from '../store-contract/contract-scene.ts'
import { aheadCases } from './ahead-cases.ts'
import { builtinCases } from './builtin-cases.ts'
import { poolCases } from './pool-cases.ts'
import { PoolScene } from './pool-scene.ts'
import { shortCases } from './short-cases.ts'

export function describePoolFlow(name: string, open: OpenStore): void {
  describe(`a server on ${name} and its pools`, () => {
    for (const { title, run } of [...poolCases, ...builtinCases, ...shortCases, ...aheadCases]) {
      it(title, async () => {
        const scene = await PoolScene.open(open)
        try {
          await run(scene)
          expect(scene.server.faults).toEqual([])
        } finally {
          await scene.close()
        }
      })
    }
  })
}
