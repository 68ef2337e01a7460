// What the checkers look at: a path inside the repository and its text. Files that git ignores are not the house's;
// files not yet added are, so that a checker speaks before the commit and not after.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface SourceFile {
  readonly path: string
  readonly text: string
}

export const root: string = join(import.meta.dirname, '..')

const isSource = /\.(?:ts|tsx|cjs|lua|sql|md|json|sh|py)$|^\.ci\/run$|^LICENSE$|^\.gitignore$/

/** Pages link to them; there is nothing in them to read. */
const isPicture = /^docs\/screens\/[\w-]+\.png$/

export function houseFiles(): readonly SourceFile[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  const paths = [...new Set(listed.split('\n'))].filter((path) => isSource.test(path) || isPicture.test(path))
  return paths
    .filter((path) => existsSync(join(root, path)))
    .map((path) => ({ path, text: isPicture.test(path) ? '' : readFileSync(join(root, path), 'utf8') }))
}

export function isTypeScript(path: string): boolean {
  return /\.tsx?$/.test(path)
}

export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path)
}

/** Where in a text an offset lies, as editors count. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
