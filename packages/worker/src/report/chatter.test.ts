import { describe, expect, it } from 'vitest'
import { Chatter } from './chatter.ts'
import { sampleRef } from './sample-line.ts'

const ref = sampleRef('a')

describe('what jobs say while they run', () => {
  it('[K5] of the progress the latest is told, of the log every line', () => {
    const chatter = new Chatter()
    for (let step = 1; step <= 1_000; step += 1) chatter.progress(ref, step / 1_000, `step ${step}`)
    chatter.log(ref, 'one')
    chatter.log(ref, 'two\nthree')
    expect(chatter.take().map(({ entry }) => entry)).toEqual([
      { ...ref, lines: ['one', 'two', 'three'] },
      { ...ref, fraction: 1, message: 'step 1000' },
    ])
    expect(chatter.isEmpty).toBe(true)
  })

  it('[K5] of a job that has ended only the lines are told', () => {
    const chatter = new Chatter()
    chatter.progress(ref, 0.9)
    chatter.log(ref, 'done')
    expect(chatter.takeLastOf(ref.token).map(({ event }) => event)).toEqual(['job:log'])
    expect(chatter.take()).toEqual([])
  })

  it('[K5] the newest 1,000 lines are kept, each cut to 10,000 characters', () => {
    const chatter = new Chatter()
    for (let line = 0; line < 3_000; line += 1) chatter.log(ref, `${line}`)
    const [kept] = chatter.take()
    expect(kept?.entry).toMatchObject({
      lines: Array.from({ length: 1_000 }, (_, line) => `${line + 2_000}`),
    })
    chatter.log(ref, 'x'.repeat(20_000))
    expect(chatter.take()).toMatchObject([{ entry: { lines: [expect.stringMatching(/^x{9999}…$/)] } }])
  })

  it('[K5] lines of a job never take more than fits into one message', () => {
    const chatter = new Chatter()
    for (let line = 0; line < 200; line += 1) chatter.log(ref, 'x'.repeat(10_000))
    expect(chatter.take()[0]?.bytes).toBeLessThan(600_000)
  })
})
