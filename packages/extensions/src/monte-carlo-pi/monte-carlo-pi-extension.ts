// analysis/MonteCarloPi: estimates π from random points, and shows how slowly chance becomes certain.

import { defineExtension, type Extension } from '@millrace/worker'
import { dice } from '../dice.ts'
import type { Figure } from '../figure.ts'
import { inSlices } from '../in-slices.ts'
import { type Estimate, PiEstimate } from './pi-estimate.ts'

interface PiData {
  readonly samples: number
  readonly seed: number
}

const schema = {
  title: 'Monte Carlo π',
  description: 'Estimates π by the share of random points that fall into a quarter circle.',
  type: 'object',
  additionalProperties: false,
  properties: {
    samples: {
      title: 'Points',
      description: 'A hundred times as many give one more digit.',
      type: 'integer',
      minimum: 1_000,
      maximum: 2_000_000_000,
      default: 20_000_000,
    },
    seed: {
      title: 'Seed',
      description: 'The same seed gives the same points.',
      type: 'integer',
      minimum: 0,
      maximum: 4_294_967_295,
      default: 1,
    },
  },
} as const

export const monteCarloPi: Extension<PiData> = defineExtension<PiData>({
  category: 'analysis',
  name: 'MonteCarloPi',
  scope: 'builtin',
  schema,
  policy: { job: { runLimitMs: 600_000 } },
  async run({ data, signal, progress, log }) {
    const estimate = new PiEstimate(dice(data.seed))
    await inSlices({ signal, progress }, data.samples, (count) => {
      estimate.throwDarts(count)
      return `π ≈ ${estimate.now.value.toFixed(6)}`
    })
    const { value, uncertainty } = estimate.now
    log(`π ≈ ${value.toFixed(7)} ± ${uncertainty.toFixed(7)}`)
    return { figure: figureOf(estimate.path), estimate: value, uncertainty, error: value - Math.PI }
  },
})

function figureOf(path: readonly Estimate[]): Figure {
  return {
    kind: 'line',
    title: 'Estimate of π by the number of points',
    x: { label: 'log10 of the points', values: path.map(({ thrown }) => Math.log10(thrown)) },
    y: { label: 'π' },
    series: [
      { label: 'estimate', values: path.map(({ value }) => value) },
      { label: 'one standard deviation above π', values: path.map(band(1)) },
      { label: 'one standard deviation below π', values: path.map(band(-1)) },
    ],
  }
}

function band(sign: 1 | -1): (estimate: Estimate) => number {
  return ({ thrown }) => Math.PI + sign * Math.sqrt((Math.PI * (4 - Math.PI)) / thrown)
}
