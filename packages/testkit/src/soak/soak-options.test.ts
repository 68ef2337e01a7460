import { expect, it } from 'vitest'
import { readSoakArguments } from './soak-options.ts'

it('[X41] a soak takes half an hour on both stores unless it is told otherwise', () => {
  expect(readSoakArguments([])).toEqual({
    minutes: 30,
    stores: ['sqlite', 'redis'],
    json: false,
    planted: false,
  })
  expect(readSoakArguments(['--minutes', '0.5', '--store', 'redis', '--json', '--plant-leak'])).toEqual({
    minutes: 0.5,
    stores: ['redis'],
    json: true,
    planted: true,
  })
})

it.each([[['--minutes', '0']], [['--store', 'files']], [['--what']]])(
  '[X41] %j is refused with a sentence',
  (args) => {
    expect(readSoakArguments(args)).toEqual(expect.any(String))
  },
)
