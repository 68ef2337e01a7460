// Extensions through the server's use-cases on a real store, with a real validator. Run on each store by the test files
// beside it.

import { openAjvValidator, type Validator } from '@millrace/server'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { OpenedStore, OpenStore } from '../store-contract/contract-scene.ts'
import { ExtensionScene } from './extension-scene.ts'
import { registrationCases } from './registration-cases.ts'
import { viewCases } from './view-cases.ts'

export function describeExtensionFlow(name: string, open: OpenStore): void {
  describe(`extensions on ${name}`, () => {
    let opened: OpenedStore
    let validator: Validator
    beforeAll(async () => {
      // Its time stands still: ten registrations that took as long as one more needs would let an eleventh through.
      const now = Date.now()
      opened = await open({ now: () => now })
      validator = openAjvValidator()
    })
    afterAll(async () => {
      await validator?.close()
      await opened.close()
    })

    for (const { title, run } of [...registrationCases, ...viewCases]) {
      it(title, () => run(new ExtensionScene(opened.store, validator)))
    }
  })
}
