import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FeedPlace, follow, rejoin } from './feed-place.ts'

const at = (next: number | null, epoch = 'a'): FeedPlace => ({ epoch, next })

describe('the place in a feed', () => {
  it.each([
    ['follows on', at(5), { epoch: 'a', from: 5, to: 7 }, 'apply', 8],
    ['is the first', at(null), { epoch: 'a', from: 5, to: 7 }, 'apply', 8],
    ['was told before', at(8), { epoch: 'a', from: 5, to: 7 }, 'known', 8],
    ['was told in part', at(6), { epoch: 'a', from: 5, to: 7 }, 'apply', 8],
    ['leaves something out', at(4), { epoch: 'a', from: 5, to: 7 }, 'gap', 8],
    ['is of another epoch', at(5), { epoch: 'b', from: 5, to: 7 }, 'gap', 8],
  ] as const)('[U36] a batch that %s', (_, place, span, verdict, next) => {
    const followed = follow(place, span)
    expect(followed.verdict).toBe(verdict)
    expect(followed.place.next).toBe(next)
  })

  it('[U36] whatever is lost on the way, a client that saw no gap has heard every number', () => {
    const batches = fc.array(fc.record({ length: fc.integer({ min: 1, max: 4 }), lost: fc.boolean() }))
    fc.assert(
      fc.property(batches, (sent) => {
        let [place, next, heard, gaps, lostBefore]: [FeedPlace, number, number, number, boolean] = [
          at(1),
          1,
          0,
          0,
          false,
        ]
        let missed = 0
        for (const { length, lost } of sent) {
          const span = { epoch: 'a', from: next, to: next + length - 1 }
          next += length
          if (lost) {
            lostBefore = true
            continue
          }
          const followed = follow(place, span)
          place = followed.place
          heard += length
          if (followed.verdict === 'gap') gaps += 1
          if (lostBefore) missed += 1
          lostBefore = false
        }
        expect(gaps).toBe(missed)
        expect(heard).toBeLessThan(next)
      }),
      { seed: 6 },
    )
  })

  it.each([
    ['the first time', null, { epoch: 'a', sequence: 4 }, true],
    ['where it left off', at(5), { epoch: 'a', sequence: 4 }, false],
    ['after something happened', at(5), { epoch: 'a', sequence: 6 }, true],
    ['at a server that began anew', at(5), { epoch: 'b', sequence: 4 }, true],
    ['at a server that has told nothing yet', at(5), { epoch: 'a', sequence: null }, true],
  ] as const)('[U37] joining %s', (_, before, joined, missed) => {
    expect(rejoin(before, joined).missed).toBe(missed)
  })
})
