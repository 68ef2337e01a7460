import { describe, expect, it } from 'vitest'
import type { Breaker } from '../breaker/breaker.ts'
import type { AttemptToken } from '../ids.ts'
import { breakerGate } from './breaker-gate.ts'

const open: Breaker = { state: 'open', openUntil: 60 }
const probing: Breaker = { state: 'probing', probe: 'probe' as AttemptToken, probeUntil: 90 }

describe('a breaker as placement sees it', () => {
  it.each([
    [{ state: 'closed', failures: 4 } as Breaker, 0, null],
    [open, 59, { state: 'open', until: 60 }],
    [open, 60, { state: 'half_open' }],
    [probing, 89, { state: 'probing' }],
    [probing, 90, { state: 'half_open' }],
  ] as const)('[P11] %o at %i', (breaker, now, gate) => {
    expect(breakerGate(breaker, now)).toEqual(gate)
  })
})
