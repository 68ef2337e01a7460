import { describe, expect, it } from 'vitest'
import { isRefusal } from '../refusal.ts'
import { extensionPolicy } from './extension-policy.ts'
import { parsePolicyChoice } from './policy-choice.ts'
import { accepted } from './sample-extension.ts'

describe('the policy a worker sends along', () => {
  it('[E33] a policy of known fields is taken', () => {
    const choice = {
      needs: { slots: 2, cpu: 1.5, memoryMb: 512, gpu: 1, labels: ['cuda'] },
      maxRunning: null,
      short: true,
      breaker: { failuresToOpen: 3, openMs: 1_000 },
      rate: { count: 5, perMs: 60_000 },
      job: { maxAttempts: 1, onWorkerLost: 'fail' },
    }
    expect(isRefusal(extensionPolicy(accepted(parsePolicyChoice(choice))))).toBe(false)
    expect(parsePolicyChoice({})).toEqual({})
    expect(parsePolicyChoice({ rate: null })).toEqual({ rate: null })
  })

  it.each([
    ['policy', null],
    ['policy', []],
    ['maxRuning', { maxRuning: 1 }],
    ['short', { short: 'yes' }],
    ['maxRunning', { maxRunning: '5' }],
    ['needs', { needs: null }],
    ['needs.labels', { needs: { labels: [1] } }],
    ['needs.labels', { needs: { labels: 'cuda' } }],
    ['breaker', { breaker: 7 }],
    ['rate.count', { rate: { count: null, perMs: 1_000 } }],
    ['job', { job: null }],
    ['job.retries', { job: { retries: 3 } }],
    ['job.maxAttempts', { job: { maxAttempts: {} } }],
    ['__proto__', JSON.parse('{"__proto__": {}}')],
    ['constructor', { constructor: {} }],
  ])('[E33] the field %s of %j is refused', (field, choice) => {
    expect(parsePolicyChoice(choice)).toMatchObject({ refused: 'policy_invalid', details: { field } })
  })
})
