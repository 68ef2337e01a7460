import { beforeEach, describe, expect, it } from 'vitest'
import { RestCollector } from './collect-at-rest.ts'

const megabyte = 1024 * 1024

/** In which what was planned is done. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

describe('collecting at rest', () => {
  let used = 0
  let load = 0
  let collections = 0
  let collector: RestCollector

  beforeEach(async () => {
    ;[used, load, collections] = [40 * megabyte, 0, 0]
    collector = new RestCollector({
      collect: () => {
        collections += 1
        used = 40 * megabyte
      },
      load: () => load,
      usedBytes: () => used,
    })
    collector.rests()
    await turn()
  })

  it('[N114] a rest with many young objects collects them once, and one with few does not', async () => {
    used += 2 * megabyte
    collector.rests()
    await turn()
    expect(collections).toBe(0)
    used += 2 * megabyte
    collector.rests()
    collector.rests()
    await turn()
    expect(collections).toBe(1)
    collector.rests()
    await turn()
    expect(collections).toBe(1)
  })

  it('[N114] what V8 collected by itself is not counted again', async () => {
    used -= 10 * megabyte
    collector.rests()
    await turn()
    used += 4 * megabyte
    collector.rests()
    await turn()
    expect(collections).toBe(1)
  })

  it('[N114] a busy thread is left to collect when its space is full', async () => {
    load = 0.9
    used += 10 * megabyte
    collector.rests()
    await turn()
    expect(collections).toBe(0)
  })

  it('[N114] where V8 cannot be asked nothing is done', async () => {
    const mute = new RestCollector({
      collect: undefined,
      load: () => 0,
      usedBytes: () => (used += 9 * megabyte),
    })
    mute.rests()
    await turn()
    mute.rests()
    await turn()
    expect(used).toBe(40 * megabyte)
  })
})
