import { describe, expect, it } from 'vitest'
import { idempotencyDecision } from './idempotency.ts'
import { sampleSubmission } from './sample-job.ts'

const existing = sampleSubmission({ idempotency: { key: 'k', bodyHash: 'h' } })

describe('idempotencyDecision', () => {
  it('[J47] a key that was never used makes a new job', () => {
    expect(idempotencyDecision(null, 'k', 'h')).toEqual({ decision: 'new' })
  })

  it('[J47] the same key and body give the same job', () => {
    expect(idempotencyDecision(existing, 'k', 'h')).toEqual({ decision: 'same_job', job: existing.id })
  })

  it('[J47] the same key with another body is refused and names the job', () => {
    expect(idempotencyDecision(existing, 'k', 'other')).toMatchObject({
      refused: 'idempotency_mismatch',
      details: { key: 'k', job: existing.id },
    })
  })
})
