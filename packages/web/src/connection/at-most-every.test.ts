import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { atMostEvery } from './at-most-every.ts'

describe('a page that sums up', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('[U72] hears the first at once, and of all others once after each interval', () => {
    let heard = 0
    const { call } = atMostEvery(1_000, () => {
      heard += 1
    })
    call()
    expect(heard).toBe(1)
    for (let events = 0; events < 500; events += 1) call()
    expect(heard).toBe(1)
    vi.advanceTimersByTime(1_000)
    expect(heard).toBe(2)
    vi.advanceTimersByTime(5_000)
    expect(heard).toBe(2)
    call()
    expect(heard).toBe(3)
  })

  it('[U72] hears nothing once it is gone', () => {
    let heard = 0
    const { call, stop } = atMostEvery(1_000, () => {
      heard += 1
    })
    call()
    call()
    stop()
    vi.advanceTimersByTime(5_000)
    expect(heard).toBe(1)
  })
})
