// When a breaker opens and for how long. An extension may choose its own values within the limits.

import { type Limit, limitRefusal, whole } from '../limit.ts'
import type { Refusal } from '../refusal.ts'

export interface BreakerSettings {
  /** Failures in a row that open the breaker. Fewer: sooner quiet, but a few bad inputs stop everybody. */
  readonly failuresToOpen: number
  /** How long nothing starts after that. */
  readonly openMs: number
}

export const defaultBreakerSettings: BreakerSettings = { failuresToOpen: 5, openMs: 60_000 }

export const breakerSettingLimits: { readonly [Field in keyof BreakerSettings]: Limit } = {
  failuresToOpen: whole(1, 1_000),
  openMs: whole(1_000, 3_600_000),
}

export function breakerSettings(chosen: Partial<BreakerSettings> = {}): BreakerSettings | Refusal {
  const settings = { ...defaultBreakerSettings, ...chosen }
  const { failuresToOpen, openMs } = breakerSettingLimits
  return (
    limitRefusal('policy_out_of_range', 'breaker.failuresToOpen', settings.failuresToOpen, failuresToOpen) ??
    limitRefusal('policy_out_of_range', 'breaker.openMs', settings.openMs, openMs) ??
    settings
  )
}
