// Reads the import statements of a file: what is imported, as a path in the repository, `node:…` or `npm:…`.

import { dirname, join } from 'node:path/posix'
import { keeping } from './code-view.ts'
import { lineAt, type SourceFile } from './source-file.ts'

export interface Import {
  readonly target: string
  readonly typeOnly: boolean
  /** Written as a path (`./x.ts`), not by a package's name. */
  readonly relative: boolean
  readonly line: number
}

const statement =
  /^(?:import|export)\s+(?<type>type\s+)?(?:[\w*{][^'"`;=]*?\bfrom\s*)?(?<static>'[^']+'|"[^"]+")|\bimport\(\s*(?<dynamic>'[^']+'|"[^"]+")|\bnew URL\(\s*(?<url>'\.[^']+'|"\.[^"]+"),\s*import\.meta\.url/gm

export function importsOf(file: SourceFile): readonly Import[] {
  const view = keeping(file.text, 'code', 'string')
  return [...view.matchAll(statement)].map(({ groups, index }) => {
    const specifier = (groups?.static ?? groups?.dynamic ?? groups?.url ?? '').slice(1, -1)
    return {
      target: targetOf(specifier, file.path),
      typeOnly: groups?.type !== undefined,
      relative: specifier.startsWith('.'),
      line: lineAt(file.text, index),
    }
  })
}

function targetOf(specifier: string, from: string): string {
  if (specifier.startsWith('.')) return join(dirname(from), specifier)
  if (specifier.startsWith('node:')) return specifier
  const own = /^@millrace\/([^/]+)/.exec(specifier)
  return own ? `packages/${own[1]}/src/index.ts` : `npm:${specifier}`
}
