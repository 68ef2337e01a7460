import { chmod, mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeTempDir } from '@millrace/testkit'
import { beforeEach, expect, it } from 'vitest'
import { openSecret, SecretUnusable, secretOfText } from './secret-file.ts'

let directory: string
let file: string
beforeEach(async () => {
  directory = await makeTempDir('secret')
  file = join(directory, 'data', 'secret')
})

it('[U19] the first start makes 32 bytes that only the owner can read, later ones read them', async () => {
  const made = await openSecret(file)
  expect(made).toHaveLength(32)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await stat(join(directory, 'data'))).mode & 0o777).toBe(0o700)
  expect(await openSecret(file)).toEqual(made)
  expect(new Uint8Array(await readFile(file))).toEqual(made)
  expect(await openSecret(join(directory, 'another'))).not.toEqual(made)
})

it('[U19] 20 that start at once have one secret and leave nothing else behind', async () => {
  const secrets = await Promise.all(Array.from({ length: 20 }, () => openSecret(file)))
  expect(new Set(secrets.map((secret) => Buffer.from(secret).toString('hex'))).size).toBe(1)
  expect(await readdir(join(directory, 'data'))).toEqual(['secret'])
})

it.each([0o640, 0o604, 0o620, 0o601, 0o644])(
  '[U19] a secret with mode %i, that others can reach, is refused with what to do, and stays as it is',
  async (mode) => {
    const made = await openSecret(file)
    await chmod(file, mode)
    await expect(openSecret(file)).rejects.toThrow(SecretUnusable)
    await expect(openSecret(file)).rejects.toThrow(`chmod 600 ${file}`)
    await chmod(file, 0o600)
    expect(await openSecret(file)).toEqual(made)
  },
)

it.each([0, 31])('[U19] a secret of %i bytes is refused and not used', async (length) => {
  await openSecret(file)
  await truncate(file, length)
  await expect(openSecret(file)).rejects.toThrow(`has ${length} bytes`)
})

it('[U19] a secret that somebody made longer is used as it is', async () => {
  const text = 'f'.repeat(64)
  await mkdir(join(directory, 'data'))
  await writeFile(file, text, { mode: 0o600 })
  expect(await openSecret(file)).toEqual(secretOfText(text))
})

it('[U19] a directory in its place is refused', async () => {
  await mkdir(file, { recursive: true })
  await expect(openSecret(file)).rejects.toThrow(SecretUnusable)
})
