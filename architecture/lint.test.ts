// The linters' own configuration, tried on a small tree of planted violations: a rule that was misspelt, moved or
// silently renamed by an upgrade would otherwise pass for ever.

import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from './source-file.ts'

interface Planted {
  readonly path: string
  readonly text: string
  /** The linters' names of the rules that must speak. */
  readonly rules: readonly string[]
}

const domain = 'packages/domain/src/job'
const server = 'packages/server/src'
const manyLines = `export function long(): void {\n${'  step()\n'.repeat(61)}}\n`

const plants: readonly Planted[] = [
  { path: `${domain}/disk.ts`, text: "import { f } from 'node:fs'\nf()", rules: ['noRestrictedImports'] },
  {
    path: `${domain}/up.ts`,
    text: "import { f } from '@millrace/server'\nf()",
    rules: ['noRestrictedImports'],
  },
  { path: `${domain}/clock.ts`, text: 'export const a: number = Date.now()', rules: ['noRestrictedGlobals'] },
  { path: `${domain}/wait.ts`, text: 'setTimeout(f, 1)', rules: ['noRestrictedGlobals'] },
  { path: `${domain}/web.ts`, text: "fetch('x')", rules: ['noRestrictedGlobals'] },
  { path: `${domain}/env.ts`, text: 'export const a: unknown = process.env', rules: ['noRestrictedGlobals'] },
  {
    path: `${domain}/bytes.ts`,
    text: "export const a: unknown = Buffer.from('')",
    rules: ['noRestrictedGlobals'],
  },
  {
    path: `${domain}/dice.ts`,
    text: 'export const a: number = Math.random()',
    rules: ['noJsRestrictedProperties'],
  },
  {
    path: `${server}/ports/a.ts`,
    text: "import { f } from '../store/f.ts'\nf()",
    rules: ['noRestrictedImports'],
  },
  {
    path: `${server}/store/a.ts`,
    text: "import { f } from '../http/f.ts'\nf()",
    rules: ['noRestrictedImports'],
  },
  {
    path: `${server}/http/a.ts`,
    text: "import { f } from '../store/f.ts'\nf()",
    rules: ['noRestrictedImports'],
  },
  {
    path: `${server}/job/a.ts`,
    text: "import { f } from '../store/f.ts'\nf()",
    rules: ['noRestrictedImports'],
  },
  {
    path: `${server}/job/b.ts`,
    text: "import { f } from '../validation/f.ts'\nf()",
    rules: ['noRestrictedImports'],
  },
  {
    path: `${server}/validation/a.ts`,
    text: "import { f } from '../store/f.ts'\nf()",
    rules: ['noRestrictedImports'],
  },
  {
    path: `${server}/user/a.ts`,
    text: "import { f } from '../credential/jose-signer.ts'\nf()",
    rules: ['noRestrictedImports'],
  },
  {
    path: `${server}/user/b.ts`,
    text: "import { hash } from '@node-rs/argon2'\nhash()",
    rules: ['noRestrictedImports'],
  },
  {
    path: `${server}/job/undeclared.ts`,
    text: "import { f } from 'left-pad'\nf()",
    rules: ['noUndeclaredDependencies'],
  },
  {
    path: `${server}/job/Named.ts`,
    text: 'export default 1',
    rules: ['noDefaultExport', 'useFilenamingConvention'],
  },
  {
    path: `${server}/job/barrel.ts`,
    text: "export * from './one.ts'",
    rules: ['noBarrelFile', 'noReExportAll'],
  },
  {
    path: `${server}/job/one.ts`,
    text: "import { b } from './two.ts'\nexport const a = () => b",
    rules: ['noImportCycles'],
  },
  {
    path: `${server}/job/two.ts`,
    text: "import { a } from './one.ts'\nexport const b = () => a",
    rules: ['noImportCycles'],
  },
  { path: `${server}/job/long.ts`, text: manyLines, rules: ['noExcessiveLinesPerFunction'] },
  { path: `${server}/job/any.ts`, text: 'export const a: any = 1', rules: ['noExplicitAny'] },
]

const promises: readonly Planted[] = [
  { path: 'floating.ts', text: 'f()', rules: ['no-floating-promises'] },
  { path: 'misused.ts', text: "if (f()) throw new Error('x')", rules: ['no-misused-promises'] },
  { path: 'awaited.ts', text: 'await 1', rules: ['await-thenable'] },
  { path: 'switch.ts', text: "switch (g()) { case 'a': f() }", rules: ['switch-exhaustiveness-check'] },
]
const declarations = "declare function f(): Promise<void>\ndeclare function g(): 'a' | 'b'\nexport {}\n"

describe('the linters', () => {
  const tree = mkdtempSync(join(tmpdir(), 'millrace-lint-'))
  const manifest = '{ "name": "planted", "type": "module" }'
  let biome = ''
  let oxlint = ''

  beforeAll(() => {
    for (const file of ['biome.json', '.oxlintrc.json']) copyFileSync(join(root, file), join(tree, file))
    write('packages/domain/package.json', manifest)
    write('packages/server/package.json', manifest)
    write('tsconfig.json', '{ "compilerOptions": { "strict": true, "module": "nodenext", "types": [] } }')
    for (const { path, text } of plants) write(path, text)
    for (const { path, text } of promises) write(path, `${declarations}${text}`)
    biome = output('biome', [
      'lint',
      '--vcs-enabled=false',
      '--reporter=github',
      '--max-diagnostics=none',
      'packages',
    ])
    oxlint = output('oxlint', ['--type-aware', '--format=unix', ...promises.map(({ path }) => path)])
  })

  afterAll(() => rmSync(tree, { recursive: true }))

  it.each(plants)('[H15] Biome refuses $path by $rules', ({ path, rules }) => {
    const said = biome.split('\n').filter((line) => line.includes(`/${path},`))
    for (const rule of rules) expect(said.some((line) => line.includes(`/${rule},`))).toBe(true)
  })

  it.each(promises)('[H15] oxlint refuses $path by $rules', ({ path, rules }) => {
    const said = oxlint.split('\n').filter((line) => line.includes(path))
    for (const rule of rules) expect(said.some((line) => line.includes(rule))).toBe(true)
  })

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), text)
  }

  function output(command: string, args: readonly string[]): string {
    const { stdout } = spawnSync(join(root, 'node_modules/.bin', command), args, {
      cwd: tree,
      encoding: 'utf8',
    })
    return stdout
  }
})
