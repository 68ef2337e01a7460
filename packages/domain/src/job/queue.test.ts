import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SchemaHash, WorkerId } from '../ids.ts'
import { type QueueIdentity, queueOf } from './queue.ts'

const name = fc.string({ unit: fc.constantFrom('a', '/', '%', '2', 'F', '5'), maxLength: 4 })
const identity: fc.Arbitrary<QueueIdentity> = fc.record(
  {
    scope: fc.constantFrom('room' as const, 'global' as const, 'builtin' as const),
    category: name,
    extension: name,
    schemaHash: name.map((text) => text as SchemaHash),
    addressee: name.map((text) => text as WorkerId),
  },
  { requiredKeys: ['scope', 'category', 'extension', 'schemaHash'] },
)

describe('queueOf', () => {
  it('[J46] a queue is named by scope, category, extension, hash and addressee', () => {
    const hash = 'abc' as SchemaHash
    const job = { scope: 'global', category: 'modifiers', extension: 'Scale/2', schemaHash: hash } as const
    expect(queueOf(job)).toBe('global/modifiers/Scale%2F2/abc')
    expect(queueOf({ ...job, addressee: 'm1' as WorkerId })).toBe('global/modifiers/Scale%2F2/abc/m1')
  })

  it('[J46] a name that looks like an escaped one has a queue of its own', () => {
    const job = { scope: 'room', category: 'c', schemaHash: 'h' as SchemaHash } as const
    expect(queueOf({ ...job, extension: 'a/b' })).not.toBe(queueOf({ ...job, extension: 'a%2Fb' }))
  })

  it('[J46] two identities share a queue exactly when they are equal, whatever their names contain', () => {
    fc.assert(
      fc.property(identity, identity, (one, other) => {
        const equal =
          JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort())
        expect(queueOf(one) === queueOf(other)).toBe(equal)
      }),
      { seed: 20_261_115, numRuns: 2_000 },
    )
  })
})
