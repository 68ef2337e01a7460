import { expect, it } from 'vitest'
import { createArgon2Hasher } from './argon2-hasher.ts'

const hasher = await createArgon2Hasher()

it('[U5] a hash is Argon2id with the settings OWASP names, and never the same twice', async () => {
  const [one, two] = [await hasher.hash('correct horse'), await hasher.hash('correct horse')]
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(two).not.toBe(one)
  expect(await hasher.matches(one, 'correct horse')).toBe(true)
  expect(await hasher.matches(two, 'correct horse')).toBe(true)
  expect(await hasher.matches(one, 'wrong horse')).toBe(false)
})

it('[U14] without a hash nothing matches, after about the work of a real one', async () => {
  const known = await hasher.hash('correct horse')
  // Of processor time, which a loaded machine does not stretch.
  const work = async (hash: string | null): Promise<number> => {
    const before = process.cpuUsage()
    expect(await hasher.matches(hash, 'wrong horse')).toBe(false)
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  const [absent, present]: [number[], number[]] = [[], []]
  for (let run = 0; run < 7; run++) {
    absent.push(await work(null))
    present.push(await work(known))
  }
  const ratio = Math.min(...absent) / Math.min(...present)
  expect(ratio).toBeGreaterThan(0.4)
  expect(ratio).toBeLessThan(2.5)
})
