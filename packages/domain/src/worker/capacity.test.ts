import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isRefusal, type Refusal } from '../refusal.ts'
import { type Capacity, freeOf, giveBack, newCapacity, resize, shortfall, take } from './capacity.ts'
import { defaultNeed, maxLabels, parseNeed, type ResourceNeed, resourceNames } from './resources.ts'

const need = (chosen: Partial<ResourceNeed>): ResourceNeed => ({ ...defaultNeed, ...chosen })
const box = newCapacity(need({ slots: 2, cpu: 4, memoryMb: 8_000, gpu: 1, labels: ['a100', 'linux'] }))

function ok(answer: Capacity | Refusal): Capacity {
  if (isRefusal(answer)) throw new Error(answer.message)
  return answer
}

describe('capacity', () => {
  it('[W6] what a job takes is gone for every extension of the worker', () => {
    const busy = ok(take(box, need({ cpu: 1.5, memoryMb: 1_000 })))
    expect(freeOf(busy)).toEqual({ slots: 1, cpu: 2.5, memoryMb: 7_000, gpu: 1 })
    expect(take(ok(take(busy, defaultNeed)), defaultNeed)).toMatchObject({ refused: 'worker_full' })
  })

  it.each<[string, Partial<ResourceNeed>, number]>([
    ['slots', { slots: 3 }, 2],
    ['cpu', { cpu: 4.001 }, 4],
    ['memoryMb', { memoryMb: 8_001 }, 8_000],
    ['gpu', { gpu: 1.5 }, 1],
  ])('[W6] a job that does not fit is refused for its %s', (resource, chosen, free) => {
    expect(take(box, need(chosen))).toMatchObject({ refused: 'worker_full', details: { resource, free } })
  })

  it('[W6] a job that takes exactly what is free fits', () => {
    const full = ok(take(box, need({ slots: 2, cpu: 4, memoryMb: 8_000, gpu: 1 })))
    expect(freeOf(full)).toEqual({ slots: 0, cpu: 0, memoryMb: 0, gpu: 0 })
  })

  it('[W8] giving back more than was taken is refused and changes nothing', () => {
    expect(giveBack(box, defaultNeed)).toMatchObject({ refused: 'resources_not_taken' })
    const busy = ok(take(box, need({ cpu: 1 })))
    expect(giveBack(busy, need({ cpu: 2 }))).toMatchObject({ refused: 'resources_not_taken' })
  })

  it('[W9] a worker must carry every label a job asks for', () => {
    expect(shortfall(box, need({ labels: ['linux'] }))).toBeNull()
    expect(take(box, need({ labels: ['linux', 'licence'] }))).toMatchObject({
      refused: 'worker_full',
      details: { resource: 'labels', needed: ['licence'] },
    })
  })

  it('[W11] a worker that comes back smaller than what it runs has nothing free until enough is given back', () => {
    const busy = ok(take(ok(take(box, defaultNeed)), defaultNeed))
    const smaller = resize(busy, need({ slots: 1 }))
    expect(freeOf(smaller).slots).toBe(0)
    const once = ok(giveBack(smaller, defaultNeed))
    expect(freeOf(once).slots).toBe(0)
    expect(freeOf(ok(giveBack(once, defaultNeed))).slots).toBe(1)
  })
})

describe('resources', () => {
  it('[W10] a job that asks for nothing takes one slot', () => {
    expect(parseNeed({})).toEqual({ slots: 1, cpu: 0, memoryMb: 0, gpu: 0, labels: [] })
  })

  it.each<Partial<ResourceNeed>>([
    { slots: 0 },
    { slots: 1.5 },
    { slots: 1_025 },
    { cpu: -1 },
    { cpu: Number.NaN },
    { cpu: Number.POSITIVE_INFINITY },
    { memoryMb: 0.5 },
    { memoryMb: 8_000_000_000 },
    { gpu: -0.5 },
  ])('[W10] %o is refused and the limit named', (chosen) => {
    expect(parseNeed(chosen)).toMatchObject({
      refused: 'resources_invalid',
      details: { field: Object.keys(chosen)[0], max: expect.any(Number) },
    })
  })

  it.each([[['GPU']], [['']], [['a b']], [Array.from({ length: maxLabels + 1 }, (_, at) => `l${at}`)]])(
    '[W10] labels %j are refused',
    (labels) => {
      expect(parseNeed({ labels })).toMatchObject({ refused: 'resources_invalid' })
    },
  )

  it('[W10] cores and GPUs may be shared in thousandths', () => {
    expect(parseNeed({ cpu: 0.5, gpu: 0.2504 })).toMatchObject({ cpu: 0.5, gpu: 0.25 })
  })

  it('[W10] as many labels as the limit are accepted', () => {
    const labels = Array.from({ length: maxLabels }, (_, at) => `l${at}`)
    expect(parseNeed({ labels })).toMatchObject({ labels: labels.toSorted() })
  })

  it('[W10] labels are a set, so their order and repetition do not matter', () => {
    expect(parseNeed({ labels: ['b', 'a', 'b'] })).toMatchObject({ labels: ['a', 'b'] })
  })
})

describe('every history of a capacity', () => {
  const fraction = fc.integer({ min: 0, max: 5_000 }).map((thousandths) => thousandths / 1_000)
  const someNeed = fc.record({
    slots: fc.integer({ min: 1, max: 3 }),
    cpu: fraction,
    memoryMb: fc.integer({ min: 0, max: 9_000 }),
    gpu: fraction,
    labels: fc.constant<readonly string[]>([]),
  })
  const offer = someNeed.map((one) => ({ ...one, slots: one.slots * 4 }))
  const step = fc.oneof(
    someNeed.map((wanted) => ({ wanted })),
    fc.nat({ max: 20 }).map((back) => ({ back })),
  )

  it('[W7] nothing is ever negative, and when all is given back exactly all is free', () => {
    fc.assert(
      fc.property(offer, fc.array(step, { maxLength: 40 }), (whole, steps) => {
        let capacity = newCapacity(whole)
        const held: ResourceNeed[] = []
        for (const next of steps) {
          if ('wanted' in next) {
            const answer = take(capacity, next.wanted)
            expect(isRefusal(answer)).toBe(shortfall(capacity, next.wanted) !== null)
            if (isRefusal(answer)) continue
            capacity = answer
            held.push(next.wanted)
          } else if (held.length > 0) {
            capacity = ok(giveBack(capacity, held.splice(next.back % held.length, 1)[0] as ResourceNeed))
          }
          const free = freeOf(capacity)
          for (const name of resourceNames) expect(free[name]).toBeGreaterThanOrEqual(0)
        }
        for (const rest of held) capacity = ok(giveBack(capacity, rest))
        expect(capacity).toEqual(newCapacity(whole))
      }),
      { seed: 41, numRuns: 500 },
    )
  })

  it('[W7] giving back right after taking changes nothing', () => {
    fc.assert(
      fc.property(offer, someNeed, someNeed, (whole, first, second) => {
        const start = take(newCapacity(whole), first)
        const before = isRefusal(start) ? newCapacity(whole) : start
        const after = take(before, second)
        if (!isRefusal(after)) expect(giveBack(after, second)).toEqual(before)
      }),
      { seed: 42, numRuns: 500 },
    )
  })
})
