import { describe, expect, it } from 'vitest'
import { defaultPolicy, type JobPolicy, policyLimits, resolvePolicy } from './policy.ts'

const fields = Object.entries(policyLimits).map(([field, { min, max }]) => ({ field, min, max }))

describe('resolvePolicy', () => {
  it('[J48] without overrides the defaults hold, and they lie inside their own limits', () => {
    expect(resolvePolicy({}, {})).toEqual(defaultPolicy)
    expect(resolvePolicy(defaultPolicy, defaultPolicy)).toEqual(defaultPolicy)
    expect(defaultPolicy).toMatchObject({ maxAttempts: 3, runLimitMs: 240_000, onWorkerLost: 'requeue' })
  })

  it('[J48] a job overrides its extension, and an extension the defaults', () => {
    const extension = { maxAttempts: 5, runLimitMs: 1_000, onWorkerLost: 'fail' } as const
    expect(resolvePolicy(extension, { maxAttempts: 7 })).toEqual({
      ...defaultPolicy,
      ...extension,
      maxAttempts: 7,
    })
  })

  it('[J48] a field that no policy has does not get in', () => {
    const overrides = { colour: 'red', maxAttempts: 2 } as Partial<JobPolicy>
    expect(resolvePolicy({}, overrides)).toEqual({ ...defaultPolicy, maxAttempts: 2 })
  })

  it.each(fields)('[J49] $field is taken from $min to $max and refused outside', ({ field, min, max }) => {
    for (const value of [min, max]) {
      expect(resolvePolicy({ [field]: value }, {})).toEqual({ ...defaultPolicy, [field]: value })
    }
    for (const value of [min - 1, max + 1, min + 0.5, Number.NaN]) {
      const refusal = { refused: 'policy_out_of_range', details: { field, min, max } }
      expect(resolvePolicy({ [field]: value }, {})).toMatchObject(refusal)
      expect(resolvePolicy({}, { [field]: value })).toMatchObject(refusal)
    }
  })

  it('[J49] onWorkerLost is requeue or fail and nothing else', () => {
    const overrides = { onWorkerLost: 'ignore' } as unknown as Partial<JobPolicy>
    expect(resolvePolicy({}, overrides)).toMatchObject({
      refused: 'policy_out_of_range',
      details: { field: 'onWorkerLost' },
    })
  })
})
