// Extensions that look like somebody's work, for the pictures in the README.

import { setTimeout as wait } from 'node:timers/promises'
import { defineExtension, type Extension } from '@millrace/worker'

interface Relaxation {
  readonly steps: number
  readonly force: number
  readonly method: string
}

/** A second for each ten steps. */
const stepMs = 100

export const relax: Extension = defineExtension<Relaxation>({
  category: 'modifiers',
  name: 'RelaxStructure',
  room: ['lab', 'course'],
  schema: {
    title: 'Relax a structure',
    description: 'Moves the atoms until the forces on them are small.',
    type: 'object',
    properties: {
      steps: { type: 'integer', minimum: 10, maximum: 1_000, default: 600, title: 'Steps at most' },
      force: {
        type: 'number',
        minimum: 0.001,
        maximum: 1,
        default: 0.05,
        title: 'Largest force',
        'x-unit': 'eV/Å',
      },
      method: { enum: ['FIRE', 'BFGS', 'CG'], default: 'FIRE', title: 'Method' },
    },
  },
  run: async ({ data: { steps, method }, log, progress, signal }) => {
    log(`${method} on 64 atoms`)
    for (let step = 1; step <= steps; step += 1) {
      await wait(stepMs, undefined, { signal })
      const largest = 2.4 * Math.exp(-step / 90)
      progress(step / steps, `largest force ${largest.toFixed(3)} eV/Å`)
      if (step % 5 === 0) log(`step ${step}  energy ${energyAt(step)} eV  force ${largest.toFixed(3)} eV/Å`)
    }
    return { energy: Number(energyAt(steps)) }
  },
})

function energyAt(step: number): string {
  return (-312.4 + 9.7 * Math.exp(-step / 70)).toFixed(4)
}

const points = 240

export const spectrum: Extension = defineExtension<{ readonly width: number }>({
  category: 'analysis',
  name: 'Spectrum',
  schema: {
    title: 'Vibrational spectrum',
    description: 'Density of vibrations, measured and calculated.',
    type: 'object',
    properties: { width: { type: 'number', minimum: 1, maximum: 60, default: 18, 'x-unit': 'cm⁻¹' } },
  },
  run: async ({ data: { width }, log, signal }) => {
    await wait(8 * stepMs, undefined, { signal })
    log(`${points} points, broadened by ${width} cm⁻¹`)
    const x = Array.from({ length: points }, (_, index) => 200 + index * 15)
    return {
      figure: {
        kind: 'line',
        title: 'Vibrations',
        x: { label: 'wave number / cm⁻¹', values: x },
        y: { label: 'density' },
        series: [
          { label: 'calculated', values: x.map((at) => densityAt(at, 3 * width)) },
          { label: 'measured', values: x.map((at) => 0.9 * densityAt(at + 40, 5 * width) + 0.03) },
        ],
      },
      peaks: [640, 1_590, 3_050],
    }
  },
})

function densityAt(x: number, width: number): number {
  const peaks = [640, 1_590, 3_050].map(
    (peak, index) => Math.exp(-(((x - peak) / width) ** 2)) / (1 + index / 2),
  )
  return Number(peaks.reduce((sum, each) => sum + each, 0).toFixed(4))
}

export const refine: Extension = defineExtension<{ readonly model: string }>({
  category: 'selections',
  name: 'RefineModel',
  schema: { type: 'object', properties: { model: { type: 'string', default: 'a' } } },
  policy: { job: { maxAttempts: 1 } },
  run: ({ data: { model } }) => {
    throw new RangeError(`no convergence for model ${model}`)
  },
})
