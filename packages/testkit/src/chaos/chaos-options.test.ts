import { expect, it } from 'vitest'
import { readChaosArguments } from './chaos-options.ts'

it('[X12] a run has a fresh seed unless it is given one, five faults of each kind, and both stores', () => {
  expect(readChaosArguments([], 42)).toEqual({
    seed: 42,
    minutes: null,
    rounds: 5,
    stores: ['redis', 'sqlite'],
    json: false,
  })
  const args = ['--short', '--seed', '7', '--minutes', '1.5', '--store', 'sqlite', '--json']
  expect(readChaosArguments(args, 42)).toEqual({
    seed: 7,
    minutes: 1.5,
    rounds: 2,
    stores: ['sqlite'],
    json: true,
  })
})

it.each([[['--seed', 'x']], [['--seed', '-1']], [['--minutes', '0']], [['--store', 'files']], [['--what']]])(
  '[X12] %j is refused with a sentence',
  (args) => {
    expect(readChaosArguments(args, 42)).toEqual(expect.any(String))
  },
)
