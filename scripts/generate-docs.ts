// Writes the pages under docs/generated. A test compares each with its regeneration, so a stale one fails the check.

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generatedPages } from './generated-pages.ts'

for (const { path, text } of generatedPages()) {
  const file = join(import.meta.dirname, '..', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  console.log(path)
}
