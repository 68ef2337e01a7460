import { afterAll, beforeAll, expect, it } from 'vitest'
import { ReadmeReader } from './readme-reader.ts'

/** Python's packages are fetched, as a newcomer fetches them. */
const patienceMs = 400_000

let reader: ReadmeReader

beforeAll(async () => {
  reader = await ReadmeReader.open()
})

afterAll(() => reader.close(), patienceMs)

it('[N56] the same in Python', { timeout: patienceMs }, async () => {
  await reader.read('Run it')
  expect(await reader.read('The same in Python')).toBeGreaterThanOrEqual(3)
})
