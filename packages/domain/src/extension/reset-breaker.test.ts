import { describe, expect, it } from 'vitest'
import { closedBreaker } from '../breaker/breaker.ts'
import { registerExtension } from './register.ts'
import { breakerOf, resetBreakerOf, withBreaker } from './reset-breaker.ts'
import { accepted, quiet, registration, sampleRoom, someone } from './sample-extension.ts'

const home = sampleRoom()
const relax = accepted(registerExtension(null, registration('one', 'w1'), someone('max'), quiet, 0)).next
const broken = withBreaker(relax, { state: 'open', openUntil: 60_005 }, 5)

describe('the breaker of an extension', () => {
  it('[B1] is closed until it opens, and then says since when', () => {
    expect(breakerOf(relax)).toMatchObject({ state: 'closed', failures: 0 })
    expect(breakerOf(broken)).toEqual({ state: 'open', openUntil: 60_005, since: 5 })
    expect(withBreaker(broken, breakerOf(broken), 9)).toBe(broken)
  })

  it('[B16] stays as it is when workers come and go', () => {
    const joined = accepted(registerExtension(broken, registration('one', 'w2'), someone('max'), quiet, 9))
    expect(breakerOf(joined.next)).toEqual(breakerOf(broken))
  })

  it.each(['max', 'olga'])('[B17] is reset by %s, who may pause it', (user) => {
    const reset = accepted(resetBreakerOf(broken, home, someone(user), 9))
    expect(breakerOf(reset)).toEqual({ ...closedBreaker, since: 9 })
  })

  it.each([
    ['mia', 'extension_forbidden'],
    ['vera', 'extension_forbidden'],
    ['stranger', 'room_not_found'],
  ])('[B17] is not for %s to reset', (user, refused) => {
    expect(resetBreakerOf(broken, home, someone(user), 9)).toMatchObject({ refused })
  })

  it('[B15] a reset of a closed one, even in the same instant, counts as a change', () => {
    const once = accepted(resetBreakerOf(relax, home, someone('max'), 9))
    const twice = accepted(resetBreakerOf(once, home, someone('max'), 9))
    expect(breakerOf(twice).since).toBeGreaterThan(breakerOf(once).since)
  })
})
