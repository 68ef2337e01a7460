// Copies the sources of the server and what it is made of into a folder and plants a bug there.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PlantedBug } from './planted-bug.ts'

type Patch = Pick<PlantedBug, 'file' | 'text' | 'instead'>

const root = join(dirname(fileURLToPath(import.meta.resolve('@millrace/server/main'))), '../../..')
const copied = ['domain', 'protocol', 'server']

/** The main file of the copied server. */
export function plantBug(folder: string, { file, text, instead }: Patch): string {
  for (const name of copied) {
    const from = join(root, 'packages', name)
    cpSync(from, join(folder, 'packages', name), {
      recursive: true,
      filter: (path) => !/\.test\.ts$|[/\\](?:dist|node_modules)$/.test(path),
    })
  }
  linkModules(folder)
  const patched = join(folder, file)
  const before = readFileSync(patched, 'utf8')
  const found = before.split(text).length - 1
  if (found !== 1) throw new Error(`${file} has the text to be replaced ${found} times, not once: ${text}`)
  writeFileSync(
    patched,
    before.replace(text, () => instead),
  )
  return join(folder, 'packages/server/src/main.ts')
}

/** All packages but our own are those of the repository. */
function linkModules(folder: string): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@millrace'), { recursive: true })
  const theirs = join(root, 'node_modules')
  if (!existsSync(theirs)) throw new Error(`${theirs} is missing: npm install`)
  for (const name of readdirSync(theirs)) {
    if (name !== '@millrace') symlinkSync(join(theirs, name), join(modules, name))
  }
  for (const name of copied) symlinkSync(join(folder, 'packages', name), join(modules, '@millrace', name))
}
