import type { Job } from '@millrace/worker'
import { describe, expect, it } from 'vitest'
import { builtinExtensions } from './builtins.ts'
import { type Figure, maxFigurePoints } from './figure.ts'

const small: Readonly<Record<string, object>> = {
  Histogram: { values: [1, 2, 2, 3], distribution: 'normal', samples: 10, seed: 1, bins: 0 },
  MonteCarloPi: { samples: 2_000, seed: 1 },
  LorenzAttractor: { sigma: 10, rho: 28, beta: 8 / 3, stepSize: 0.005, steps: 50_000 },
}

function jobWith(data: object): Job {
  return {
    ...{ id: 'a', room: 'lab', submitter: 'ann', attempt: 1, data },
    signal: new AbortController().signal,
    progress: () => undefined,
    log: () => undefined,
    lock: () => Promise.reject(new Error('a built-in extension writes nothing into its room')),
  }
}

describe('a built-in extension', () => {
  it.each(builtinExtensions)(
    '[O16] $name has a form: every field with title, description and default',
    (extension) => {
      expect(extension).toMatchObject({ scope: 'builtin', category: 'analysis' })
      const { title, description, properties } = extension.schema as {
        title: string
        description: string
        properties: Record<string, object>
      }
      expect([title, description].every(Boolean)).toBe(true)
      for (const field of Object.values(properties)) {
        expect(Object.keys(field)).toEqual(
          expect.arrayContaining(['title', 'description', 'type', 'default']),
        )
      }
    },
  )

  it.each(builtinExtensions)(
    '[O16] $name brings a figure whose series are as long as its axis',
    async (extension) => {
      const { figure } = (await extension.run(jobWith(small[extension.name] ?? {}))) as { figure: Figure }
      expect(figure.series.length).toBeGreaterThan(0)
      expect(figure.x.values.length).toBeGreaterThan(0)
      expect(figure.x.values.length).toBeLessThanOrEqual(maxFigurePoints)
      for (const { values } of figure.series) expect(values).toHaveLength(figure.x.values.length)
      expect(JSON.parse(JSON.stringify(figure))).toEqual(figure)
    },
  )

  it.each(builtinExtensions)('[O17] $name gives the same result for the same data', async (extension) => {
    const run = (): unknown => extension.run(jobWith(small[extension.name] ?? {}))
    expect(await run()).toEqual(await run())
  })
})
