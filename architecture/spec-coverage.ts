// The rules that SPEC.md numbers and the rules that test titles cite are one set: a rule without a test is a wish, a
// citation without a rule is a test of something nobody decided.

import { literals } from './code-view.ts'
import type { Checker } from './describe-checker.ts'
import { isTest, isTypeScript, type SourceFile } from './source-file.ts'

const definition = /^- \*\*([A-Z]\d+)\*\* \S/gm
const citations = /^(?:\[[A-Z]\d+(?:[ ,]+[A-Z]\d+)*\] ?)+(?=\S)/
const rule = /[A-Z]\d+/g

const isSpec = (path: string): boolean => path === 'SPEC.md'

// Contract suites cite rules too; they live in the testkit and are run by the test files of each store.
const citesRules = (path: string): boolean =>
  isTest(path) || (path.startsWith('packages/testkit/') && isTypeScript(path))

export const checkSpecCoverage: Checker = (files) => {
  const defined = rulesBy(
    files.filter((file) => isSpec(file.path)),
    definedIn,
  )
  const cited = rulesBy(
    files.filter((file) => citesRules(file.path)),
    citedIn,
  )
  if (defined.size === 0 && cited.size === 0) return ['no rule and no citation was given']
  const twice = [...defined].filter(([, paths]) => paths.length > 1)
  return [
    ...twice.map(([name, paths]) => `${name} is defined more than once: ${paths.join(', ')}`),
    ...missing(defined, cited).map(([name, path]) => `${name} of ${path} is cited by no test title`),
    ...missing(cited, defined).map(
      ([name, path]) => `${name} is cited in ${path} but SPEC.md has no such rule`,
    ),
  ]
}

function definedIn(file: SourceFile): readonly string[] {
  return [...file.text.matchAll(definition)].map((match) => match[1] ?? '')
}

function citedIn(file: SourceFile): readonly string[] {
  const rules = literals(file.text).flatMap((literal) => citations.exec(literal)?.[0].match(rule) ?? [])
  return [...new Set(rules)]
}

function rulesBy(
  files: readonly SourceFile[],
  rulesOf: (file: SourceFile) => readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const file of files) {
    for (const name of rulesOf(file)) found.set(name, [...(found.get(name) ?? []), file.path])
  }
  return found
}

function missing(
  these: ReadonlyMap<string, readonly string[]>,
  those: ReadonlyMap<string, readonly string[]>,
): readonly (readonly [string, string])[] {
  return [...these].filter(([name]) => !those.has(name)).map(([name, paths]) => [name, paths[0] ?? ''])
}
