// Rooms and values through the server's use-cases on a real store. Run on each store by the test files beside it.

import { afterAll, beforeAll, describe, it } from 'vitest'
import type { OpenedStore, OpenStore } from '../store-contract/contract-scene.ts'
import { roomCases } from './room-cases.ts'
import { RoomScene } from './room-scene.ts'
import { valuesCases } from './values-cases.ts'

export function describeRoomFlow(name: string, open: OpenStore): void {
  describe(`rooms on ${name}`, () => {
    let opened: OpenedStore
    beforeAll(async () => {
      opened = await open({})
    })
    afterAll(() => opened.close())

    for (const { title, run } of [...roomCases, ...valuesCases]) {
      it(title, () => run(new RoomScene(opened.store)))
    }
  })
}
