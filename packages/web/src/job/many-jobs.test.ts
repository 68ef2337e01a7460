import { describe, expect, it } from 'vitest'
import { actable } from './many-jobs.ts'

describe('many jobs', () => {
  it('[U114] are counted without those that would be refused', () => {
    const refused = [{ id: '1', code: 'already_terminal' }]
    expect(actable({ matched: 3, done: 0, refused })).toBe(2)
    expect(actable({ matched: 0, done: 0, refused: [] })).toBe(0)
  })
})
