import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { renderStateTable } from './render-state-table.ts'

it('[J10] docs/generated/states.md is what the table says today', () => {
  const page = new URL('../../../../docs/generated/states.md', import.meta.url)
  expect(readFileSync(page, 'utf8')).toBe(renderStateTable())
})
