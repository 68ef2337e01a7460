// What a worker has and a job takes: slots, cores, memory, GPUs. Cores and GPUs may be shared in thousandths; sums are
// rounded back to that grid, or 0.1 + 0.2 − 0.2 would leave a crumb and a full worker would never be empty again.

import { type Limit, limitRefusal, whole } from '../limit.ts'
import { type Refusal, refuse } from '../refusal.ts'

export interface Resources {
  readonly slots: number
  readonly cpu: number
  readonly memoryMb: number
  readonly gpu: number
}

/** What one job takes. Labels are not taken: the worker has to carry all of them. */
export interface ResourceNeed extends Resources {
  readonly labels: readonly string[]
}

export const resourceNames: readonly (keyof Resources)[] = ['slots', 'cpu', 'memoryMb', 'gpu']

export const noResources: Resources = { slots: 0, cpu: 0, memoryMb: 0, gpu: 0 }

export const defaultNeed: ResourceNeed = { ...noResources, slots: 1, labels: [] }

/** Far above any machine of today: they catch a wrong unit (bytes for megabytes), not a large host. */
export const resourceLimits: { readonly [Name in keyof Resources]: Limit } = {
  slots: whole(1, 1_024),
  cpu: { min: 0, max: 4_096, whole: false },
  memoryMb: whole(0, 64_000_000),
  gpu: { min: 0, max: 256, whole: false },
}

export const maxLabels: number = 32

const label = /^[a-z0-9][a-z0-9._-]{0,63}$/

export function parseNeed(chosen: Partial<ResourceNeed>): ResourceNeed | Refusal {
  const need = { ...defaultNeed, ...chosen }
  for (const name of resourceNames) {
    const refusal = limitRefusal('resources_invalid', name, need[name], resourceLimits[name])
    if (refusal !== null) return refusal
  }
  if (need.labels.length > maxLabels || !need.labels.every((text) => label.test(text))) {
    return refuse(
      'resources_invalid',
      `labels has to hold at most ${maxLabels} words of 1 to 64 lower-case letters, digits, '-', '_' and '.'.`,
    )
  }
  return { ...onGrid(need), labels: [...new Set(need.labels)].sort() }
}

export function plus(one: Resources, other: Resources): Resources {
  return combine(one, other, (a, b) => a + b)
}

export function minus(one: Resources, other: Resources): Resources {
  return combine(one, other, (a, b) => a - b)
}

function combine(one: Resources, other: Resources, sum: (a: number, b: number) => number): Resources {
  return onGrid({
    slots: sum(one.slots, other.slots),
    cpu: sum(one.cpu, other.cpu),
    memoryMb: sum(one.memoryMb, other.memoryMb),
    gpu: sum(one.gpu, other.gpu),
  })
}

function onGrid({ slots, cpu, memoryMb, gpu }: Resources): Resources {
  return { slots, cpu: inThousandths(cpu), memoryMb, gpu: inThousandths(gpu) }
}

function inThousandths(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
