// What an extension asks for and allows itself: needs of one job, how many at once, how often, when its breaker opens,
// and its overrides of the job policy. Checked once, at registration, so that no job is refused later for its sake.

import { type BreakerSettings, breakerSettings } from '../breaker/breaker-settings.ts'
import { type JobPolicy, resolvePolicy } from '../job/policy.ts'
import { type Limit, limitRefusal, whole } from '../limit.ts'
import { checkRate, type Rate } from '../rate/rate.ts'
import { isRefusal, type Refusal } from '../refusal.ts'
import { parseNeed, type ResourceNeed } from '../worker/resources.ts'

export interface ExtensionPolicy {
  /** What one job takes from a worker. */
  readonly needs: ResourceNeed
  /** Jobs of this extension that run at once, over all rooms; null for no limit. */
  readonly maxRunning: number | null
  /** Its jobs end quickly, so they may use the slots a pool keeps for short ones. */
  readonly short: boolean
  readonly breaker: BreakerSettings
  /** Jobs accepted from one room; null for no limit. */
  readonly rate: Rate | null
  /** Overrides of the job policy; a job's own overrides go over them. */
  readonly job: Partial<JobPolicy>
}

export interface ExtensionPolicyChoice {
  readonly needs?: Partial<ResourceNeed>
  readonly maxRunning?: number | null
  readonly short?: boolean
  readonly breaker?: Partial<BreakerSettings>
  readonly rate?: Rate | null
  readonly job?: Partial<JobPolicy>
}

export const maxRunningLimit: Limit = whole(1, 100_000)

export function extensionPolicy(choice: ExtensionPolicyChoice): ExtensionPolicy | Refusal {
  const { maxRunning = null, short = false, job = {} } = choice
  const needs = parseNeed(choice.needs ?? {})
  if (isRefusal(needs)) return needs
  const breaker = breakerSettings(choice.breaker)
  if (isRefusal(breaker)) return breaker
  const rate = choice.rate ? checkRate(choice.rate) : null
  if (isRefusal(rate)) return rate
  const outside =
    maxRunning === null
      ? null
      : limitRefusal('policy_out_of_range', 'maxRunning', maxRunning, maxRunningLimit)
  if (outside !== null) return outside
  const resolved = resolvePolicy(job, {})
  return isRefusal(resolved) ? resolved : { needs, maxRunning, short, breaker, rate, job }
}
