import { describe, expect, it } from 'vitest'
import { capPriority } from './priority.ts'

describe('capPriority', () => {
  it.each([
    ['guest', 2, 2],
    ['guest', 10, 3],
    ['user', 7, 7],
    ['user', 8, 7],
    ['admin', 10, 10],
    ['admin', 0, 0],
  ] as const)('[J50] a %s who asks for %d gets %d', (role, asked, expected) => {
    expect(capPriority(asked, role)).toBe(expected)
  })

  it.each([-1, 11, 1.5, Number.NaN])('[J50] a priority of %d is refused for every role', (priority) => {
    for (const role of ['guest', 'user', 'admin'] as const) {
      expect(capPriority(priority, role)).toMatchObject({ refused: 'priority_invalid' })
    }
  })
})
