import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { RestCollector } from './collect-at-rest.ts'

const megabyte = 1024 * 1024

describe('collecting at rest', () => {
  let used = 0
  let load = 0
  let collections = 0
  let collector: RestCollector

  /** Long enough to be taken for one. */
  function rest(): void {
    collector.rests()
    vi.runAllTimers()
  }

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    ;[used, load, collections] = [40 * megabyte, 0, 0]
    collector = new RestCollector({
      collect: () => {
        collections += 1
        used = 40 * megabyte
      },
      load: () => load,
      usedBytes: () => used,
    })
    rest()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('[N114] a rest with many young objects collects them once, and one with few does not', () => {
    used += megabyte
    rest()
    expect(collections).toBe(0)
    used += megabyte
    rest()
    expect(collections).toBe(1)
    rest()
    expect(collections).toBe(1)
  })

  it('[N114] a moment between two things to do is no rest', () => {
    used += 4 * megabyte
    for (let changes = 10; changes > 0; changes--) {
      collector.stirs()
      collector.rests()
      vi.advanceTimersByTime(1)
    }
    collector.stirs()
    vi.runAllTimers()
    expect(collections).toBe(0)
    rest()
    expect(collections).toBe(1)
  })

  it('[N114] what V8 collected by itself is not counted again', () => {
    used -= 10 * megabyte
    rest()
    used += 4 * megabyte
    rest()
    expect(collections).toBe(1)
  })

  it('[N114] a busy thread is left to collect when its space is full', () => {
    load = 0.9
    used += 10 * megabyte
    rest()
    expect(collections).toBe(0)
  })

  it('[N114] where V8 cannot be asked nothing is done', () => {
    const mute = new RestCollector({
      collect: undefined,
      load: () => 0,
      usedBytes: () => (used += 9 * megabyte),
    })
    mute.rests()
    mute.rests()
    vi.runAllTimers()
    expect(used).toBe(40 * megabyte)
  })
})
