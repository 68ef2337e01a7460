// Jobs through the server's use-cases on a real store. Run on each store by the test files beside it.

import { afterAll, beforeAll, describe, it } from 'vitest'
import type { OpenedStore, OpenStore } from '../store-contract/contract-scene.ts'
import { atOnceCases } from './at-once-cases.ts'
import { JobScene } from './job-scene.ts'
import { lifecycleCases } from './lifecycle-cases.ts'
import { pageCases } from './page-cases.ts'

export function describeJobFlow(name: string, open: OpenStore): void {
  describe(`jobs on ${name}`, () => {
    let opened: OpenedStore
    beforeAll(async () => {
      opened = await open({})
    })
    afterAll(() => opened.close())

    for (const { title, run } of [...lifecycleCases, ...atOnceCases, ...pageCases]) {
      it(title, () => run(new JobScene(opened.store)))
    }
  })
}
