import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AttemptToken } from '../ids.ts'
import { resumeAttempts } from './resume.ts'

const tokens = (...names: string[]) => names as AttemptToken[]

describe('a worker that returns', () => {
  it('[W22] carries on with what both sides know, stops what was superseded, and has lost what it does not report', () => {
    expect(resumeAttempts(tokens('a', 'b'), tokens('b', 'c'))).toEqual({
      carryOn: ['b'],
      superseded: ['a'],
      lost: ['c'],
    })
  })

  it('[W22] with an empty memory has lost everything', () => {
    expect(resumeAttempts([], tokens('a', 'b'))).toEqual({ carryOn: [], superseded: [], lost: ['a', 'b'] })
  })

  it('[W22] every token gets exactly one of the three answers, however often it is reported', () => {
    const token = fc.constantFrom(...tokens('a', 'b', 'c', 'd', 'e'))
    fc.assert(
      fc.property(fc.array(token), fc.uniqueArray(token), (reported, assigned) => {
        const { carryOn, superseded, lost } = resumeAttempts(reported, assigned)
        const all = [...carryOn, ...superseded, ...lost]
        expect(all.toSorted()).toEqual([...new Set([...reported, ...assigned])].toSorted())
        expect([...carryOn, ...lost].toSorted()).toEqual(assigned.toSorted())
      }),
      { seed: 61 },
    )
  })
})
