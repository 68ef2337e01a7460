import { leaseMs } from '@millrace/domain'
import { describe, expect, it } from 'vitest'
import { Dice } from '../seeded-dice.ts'
import { type Fault, redisFaults, sqliteFaults } from './fault-plan.ts'
import { limitedPlan } from './limited-plan.ts'

function planOf(seed: number, kinds = redisFaults, rounds = 2): readonly Fault[] {
  return [...limitedPlan(new Dice(seed), kinds, rounds, () => true)]
}

describe('a plan of faults', () => {
  it('[X12] is the same for the same seed and another for another', () => {
    expect(planOf(7)).toEqual(planOf(7))
    expect(planOf(7)).not.toEqual(planOf(8))
  })

  it.each([
    ['redis', redisFaults],
    ['sqlite', sqliteFaults],
  ])('[X12] has every kind on %s as often as asked for, and stops of both lengths', (_store, kinds) => {
    const plan = planOf(1, kinds, 5)
    for (const kind of kinds) expect(plan.filter((fault) => fault.kind === kind)).toHaveLength(5)
    const stops = plan.filter(({ kind }) => kind === 'stop-worker').map(({ lastsMs }) => lastsMs)
    expect(stops.some((ms) => ms > leaseMs)).toBe(true)
    expect(stops.some((ms) => ms < leaseMs)).toBe(true)
  })

  it('[X12] goes on until its time is over', () => {
    let looks = 0
    const plan = [...limitedPlan(new Dice(1), sqliteFaults, 1, () => ++looks > 5)]
    expect(plan).toHaveLength(sqliteFaults.length + 5)
  })
})
