// Users and credentials through the server's use-cases on a real store. Run on each store by the test files beside it.

import { afterEach, beforeEach, describe, it } from 'vitest'
import type { OpenedStore, OpenStore } from '../store-contract/contract-scene.ts'
import { credentialCases } from './credential-cases.ts'
import { trailCases } from './trail-cases.ts'
import { userCases } from './user-cases.ts'
import { Clock, UserScene } from './user-scene.ts'

export function describeUserFlow(name: string, open: OpenStore): void {
  describe(`users on ${name}`, () => {
    let opened: OpenedStore
    let clock: Clock
    beforeEach(async () => {
      clock = new Clock()
      opened = await open({ now: clock.now })
    })
    afterEach(() => opened.close())

    for (const { title, run } of [...userCases, ...credentialCases, ...trailCases]) {
      it(title, async () => run(await UserScene.make(opened.store, clock)))
    }
  })
}
