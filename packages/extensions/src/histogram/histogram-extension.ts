// analysis/Histogram: the spread of numbers that were given, or that are drawn from a distribution.

import { defineExtension, type Extension } from '@millrace/worker'
import { dice, normal } from '../dice.ts'
import type { Figure } from '../figure.ts'
import { inSlices } from '../in-slices.ts'
import { type Histogram, histogramOf } from './histogram.ts'

type Distribution = 'normal' | 'uniform' | 'exponential'

interface HistogramData {
  readonly values: readonly number[]
  readonly distribution: Distribution
  readonly samples: number
  readonly seed: number
  readonly bins: number
}

const draw: Readonly<Record<Distribution, (roll: () => number) => number>> = {
  normal,
  uniform: (roll) => roll(),
  exponential: (roll) => -Math.log(1 - roll()),
}

const schema = {
  title: 'Histogram',
  description: 'How numbers are spread: yours, or as many as you like from a distribution.',
  type: 'object',
  additionalProperties: false,
  properties: {
    values: {
      title: 'Numbers',
      description: 'Leave empty to draw samples instead.',
      type: 'array',
      items: { type: 'number' },
      maxItems: 50_000,
      default: [],
    },
    distribution: {
      title: 'Distribution',
      description: 'What samples are drawn from.',
      type: 'string',
      enum: ['normal', 'uniform', 'exponential'],
      default: 'normal',
    },
    samples: {
      title: 'Samples',
      description: 'How many are drawn.',
      type: 'integer',
      minimum: 1,
      maximum: 2_000_000,
      default: 10_000,
    },
    seed: {
      title: 'Seed',
      description: 'The same seed gives the same samples.',
      type: 'integer',
      minimum: 0,
      maximum: 4_294_967_295,
      default: 1,
    },
    bins: {
      title: 'Bins',
      description: '0 chooses their width by the data.',
      type: 'integer',
      minimum: 0,
      maximum: 200,
      default: 0,
    },
  },
} as const

export const histogram: Extension<HistogramData> = defineExtension<HistogramData>({
  category: 'analysis',
  name: 'Histogram',
  scope: 'builtin',
  schema,
  policy: { short: true, job: { runLimitMs: 60_000 } },
  async run({ data, signal, progress, log }) {
    const { values, distribution, samples, seed, bins } = data
    const numbers = Float64Array.from(values.length > 0 ? values : { length: samples })
    if (values.length === 0) {
      const [roll, next] = [dice(seed), draw[distribution]]
      let at = 0
      await inSlices({ signal, progress }, samples, (count) => {
        for (const end = at + count; at < end; at += 1) numbers[at] = next(roll)
        return `${at} of ${samples} samples`
      })
    }
    const { middles, counts, ...summary } = histogramOf(numbers, bins)
    log(`${summary.count} numbers in ${counts.length} bins`)
    const source = values.length > 0 ? 'given numbers' : `${distribution} distribution`
    return { figure: figureOf({ middles, counts }, source), ...summary }
  },
})

function figureOf({ middles, counts }: Pick<Histogram, 'middles' | 'counts'>, source: string): Figure {
  return {
    kind: 'bar',
    title: `Histogram of the ${source}`,
    x: { label: 'value', values: middles },
    y: { label: 'count' },
    series: [{ label: 'count', values: counts }],
  }
}
