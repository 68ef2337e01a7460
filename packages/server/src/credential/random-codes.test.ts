import { expect, it } from 'vitest'
import { randomCodes } from './random-codes.ts'

it('[U16] a code has 256 bits, fits into a link and is never drawn twice', () => {
  const codes = Array.from({ length: 1_000 }, () => randomCodes.code())
  for (const code of codes) expect(code).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(new Set(codes).size).toBe(1_000)
  expect(randomCodes.digest('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

it("[U12] the letters of a guest's name are all of them drawn", () => {
  const drawn = randomCodes.letters(10_000)
  expect(drawn).toMatch(/^[a-z0-9]{10000}$/)
  expect(new Set(drawn).size).toBe(32)
})
