// A server whose clock a test moves, on a real store, over real HTTP and sockets. Run on each store by the test files
// beside it.

import { describe, expect, it } from 'vitest'
import type { OpenStore } from '../store-contract/contract-scene.ts'
import { atOnceCases } from './at-once-cases.ts'
import { auditChangeCases } from './audit-change-cases.ts'
import { breakerCases } from './breaker-cases.ts'
import { ClockScene } from './clock-scene.ts'
import { deadlineCases } from './deadline-cases.ts'
import { leaseCases } from './lease-cases.ts'
import { lockCases } from './lock-cases.ts'
import { screenCases } from './screen-cases.ts'
import { valuesCases } from './values-cases.ts'

export function describeClockFlow(name: string, open: OpenStore): void {
  describe(`a server on ${name} as time goes by`, () => {
    const cases = [
      ...deadlineCases,
      ...leaseCases,
      ...lockCases,
      ...breakerCases,
      ...auditChangeCases,
      ...screenCases,
      ...valuesCases,
      ...atOnceCases,
    ]
    for (const { title, run } of cases) {
      it(title, async () => {
        const scene = await ClockScene.open(open)
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
