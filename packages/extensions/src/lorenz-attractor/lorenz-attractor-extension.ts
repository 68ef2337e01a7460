// analysis/LorenzAttractor: a long run that follows a chaotic path, draws it, and measures how chaotic it is.

import { defineExtension, type Extension, fatal } from '@millrace/worker'
import { type Figure, maxFigurePoints } from '../figure.ts'
import { inSlices } from '../in-slices.ts'
import { Lorenz, type LorenzParameters } from './lorenz.ts'

interface LorenzData extends LorenzParameters {
  readonly steps: number
}

/** The drawing shows the end of the path, this many steps between two of its points: all of a long run is one blot. */
const stepsPerPoint = 4

const schema = {
  title: 'Lorenz attractor',
  description:
    'Follows the Lorenz system, and measures how fast neighbouring paths part (Lyapunov exponent).',
  type: 'object',
  additionalProperties: false,
  properties: {
    sigma: {
      title: 'σ',
      description: 'Prandtl number.',
      type: 'number',
      minimum: 0,
      maximum: 100,
      default: 10,
    },
    rho: {
      title: 'ρ',
      description: 'Rayleigh number.',
      type: 'number',
      minimum: 0,
      maximum: 200,
      default: 28,
    },
    beta: {
      title: 'β',
      description: 'Shape of the cell.',
      type: 'number',
      minimum: 0,
      maximum: 10,
      default: 8 / 3,
    },
    stepSize: {
      title: 'Step size',
      description: 'Time of one step. Smaller follows the true path longer, and takes longer.',
      type: 'number',
      minimum: 0.0001,
      maximum: 0.05,
      default: 0.005,
    },
    steps: {
      title: 'Steps',
      description: 'More measure the exponent better. A core does some ten millions in a second.',
      type: 'integer',
      minimum: 100,
      maximum: 20_000_000_000,
      default: 50_000_000,
    },
  },
} as const

export const lorenzAttractor: Extension<LorenzData> = defineExtension<LorenzData>({
  category: 'analysis',
  name: 'LorenzAttractor',
  scope: 'builtin',
  schema,
  policy: { job: { runLimitMs: 3_600_000 } },
  async run({ data, signal, progress, log }) {
    const { steps } = data
    const lorenz = new Lorenz(data, [1, 1, 1])
    const drawnFrom = Math.max(0, steps - maxFigurePoints * stepsPerPoint)
    const path: { x: number[]; z: number[] } = { x: [], z: [] }
    let done = 0
    await inSlices({ signal, progress }, steps, (count) => {
      for (const end = done + count; done < end; done += 1) {
        lorenz.step()
        if (done < drawnFrom || (done - drawnFrom) % stepsPerPoint !== 0) continue
        path.x.push(lorenz.at[0])
        path.z.push(lorenz.at[2])
      }
      return `λ ≈ ${lorenz.lyapunovExponent.toFixed(4)}`
    })
    if (!lorenz.at.every(Number.isFinite)) return fatal('The path left all bounds: take a smaller step size.')
    const lyapunovExponent = lorenz.lyapunovExponent
    log(`λ ≈ ${lyapunovExponent.toFixed(5)} after ${steps} steps`)
    return { figure: figureOf(path), lyapunovExponent, time: steps * data.stepSize, end: lorenz.at }
  },
})

function figureOf({ x, z }: { readonly x: readonly number[]; readonly z: readonly number[] }): Figure {
  return {
    kind: 'line',
    title: 'Lorenz attractor, the end of the path',
    x: { label: 'x', values: x },
    y: { label: 'z' },
    series: [{ label: 'z', values: z }],
  }
}
