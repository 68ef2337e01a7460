// The codes that the sources refuse with, the catalogue, and the page about it are one set.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { refusalCatalogue } from '@millrace/domain'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../../..')
const inCatalogue = Object.keys(refusalCatalogue).toSorted()

function sourcesOf(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.endsWith('refusal.ts'))
    .map((path) => readFileSync(join(root, folder, path), 'utf8'))
}

const sources = [...sourcesOf('packages/domain/src'), ...sourcesOf('packages/server/src')]

it('[A5] every code that the sources refuse with stands in the catalogue', () => {
  const calls = sources.flatMap((text) => [
    ...text.matchAll(/\b(?:refuse|refusedHere|limitRefusal)\(\s*'([^']+)'/g),
  ])
  const codes = [...new Set(calls.map(([, code]) => code as string))]
  expect(codes.length).toBeGreaterThan(50)
  expect(codes.filter((code) => !inCatalogue.includes(code))).toEqual([])
})

it('[A5] every code of the catalogue is one that somebody is refused with', () => {
  const unused = inCatalogue.filter((code) => !sources.some((text) => text.includes(`'${code}'`)))
  expect(unused).toEqual([])
})

it('[A5] the page about refusals has a row for each of them', () => {
  const page = readFileSync(join(root, 'docs/generated/errors.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ])
  expect(Object.fromEntries(rows)).toEqual(
    Object.fromEntries(Object.entries(refusalCatalogue).map(([code, { status }]) => [code, status])),
  )
})
