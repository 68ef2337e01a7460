// What one replica tells the others of its pools: abilities, shape, slots, what is free and who is well; and how long jobs
// ran that ended there. For answers that must not depend on who is asked; nobody places by it. Bounded, however many
// workers a replica has.

import type { Health, Resources, WorkerId, WorkerSupply } from '@millrace/domain'
import type { CountedFigures } from '../job/run-times.ts'
import type { MeasuredRuns } from './short-extensions.ts'

/** A worker as its replica knows it. */
export interface SeenSupply extends WorkerSupply {
  /** Attempts it holds. */
  readonly running: number
}

export interface PoolSummary {
  /** When it was written, in the store's time. */
  readonly at: number
  readonly supplies: readonly SeenSupply[]
  readonly times: readonly (readonly [string, CountedFigures])[]
  readonly runs: readonly (readonly [string, MeasuredRuns])[]
}

interface SummarizedWorker {
  readonly id: WorkerId
  readonly free: Resources
  readonly running: number
  readonly health: Health
  readonly draining: boolean
  readonly keptForShort?: number
}

interface SummarizedPool extends Pick<WorkerSupply, 'abilities' | 'total'> {
  readonly labels: readonly string[]
  readonly workers: readonly SummarizedWorker[]
}

interface SummaryText extends Omit<PoolSummary, 'supplies' | 'at'> {
  readonly pools: readonly SummarizedPool[]
}

/** A thousand workers with short names; what goes beyond is known to its own replica alone. */
const poolsMaxLength = 250_000

/** Without `at`, so that a summary in which nothing changed is the same text. */
export function summaryText({ supplies, times, runs }: Omit<PoolSummary, 'at'>): string {
  return JSON.stringify({ pools: bounded(poolsOf(supplies)), times, runs } satisfies SummaryText)
}

export function readSummary(at: number, text: string): PoolSummary {
  const { pools, times, runs } = JSON.parse(text) as SummaryText
  const supplies = pools.flatMap(({ workers, abilities, labels, total }) =>
    workers.map((worker) => ({ ...worker, abilities, labels, total })),
  )
  return { at, supplies, times, runs }
}

function poolsOf(supplies: readonly SeenSupply[]): readonly SummarizedPool[] {
  const pools = new Map<string, SummarizedPool & { workers: SummarizedWorker[] }>()
  for (const { abilities, labels = [], total, draining = false, ...rest } of supplies) {
    const shape = JSON.stringify([abilities, labels, total])
    const pool = pools.get(shape) ?? { abilities, labels, total, workers: [] }
    const { id, free, running, health, keptForShort } = rest
    const kept = keptForShort === undefined ? {} : { keptForShort }
    pool.workers.push({ id, free, running, health, draining, ...kept })
    pools.set(shape, pool)
  }
  return [...pools.values()]
}

function bounded(pools: readonly SummarizedPool[]): readonly SummarizedPool[] {
  let left = poolsMaxLength
  const fits = (part: unknown): boolean => {
    left -= JSON.stringify(part).length
    return left >= 0
  }
  return pools.flatMap(({ workers, ...shape }) =>
    fits(shape) ? [{ ...shape, workers: workers.filter((worker) => fits(worker)) }] : [],
  )
}
