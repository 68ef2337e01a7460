import { afterAll, beforeAll, expect, it } from 'vitest'
import { ReadmeReader } from './readme-reader.ts'

const patienceMs = 180_000

let reader: ReadmeReader

beforeAll(async () => {
  reader = await ReadmeReader.open()
})

afterAll(() => reader.close(), patienceMs)

it('[N56] what the README says for the first five minutes works as it stands', {
  timeout: patienceMs,
}, async () => {
  expect(await reader.read('Run it')).toBeGreaterThanOrEqual(2)
  expect(await reader.read('Your own extension')).toBeGreaterThanOrEqual(3)
})
