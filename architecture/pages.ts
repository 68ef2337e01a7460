// The pages of the house: links lead somewhere, decisions have their three parts, the CI runs what the README says,
// and nothing tracked names the machine it was written on.

import { dirname, join } from 'node:path/posix'
import { type Checker, eachFile } from './describe-checker.ts'
import { lineAt, type SourceFile } from './source-file.ts'

const isPage = (path: string): boolean => path.endsWith('.md')

export const checkLinks: Checker = (files) => {
  const pages = files.filter((file) => isPage(file.path))
  if (pages.length === 0) return ['no page was given']
  const known = new Map(files.map((file) => [file.path, file]))
  return pages.flatMap((page) =>
    linksOf(page)
      .filter(({ target }) => !leadsSomewhere(page, target, known))
      .map(({ target, line }) => `${page.path}:${line} links to ${target}, which is not there`),
  )
}

const decisionParts = ['## Context', '## Choice', '## What would change our mind']

export const checkDecisions: Checker = (files) => {
  const pages = files.filter((file) => /^docs\/decisions\/[^/]+\.md$/.test(file.path))
  if (pages.length === 0) return ['no decision was given']
  const byNumber = [...pages].sort((a, b) => (a.path < b.path ? -1 : 1))
  return byNumber.flatMap((page, index) => {
    const number = String(index + 1).padStart(4, '0')
    const headings = page.text.split('\n').filter((line) => line.startsWith('## '))
    return [
      ...(page.path.startsWith(`docs/decisions/${number}-`)
        ? []
        : [`${page.path} should have the number ${number}`]),
      ...(headings.join() === decisionParts.join()
        ? []
        : [`${page.path} needs exactly ${decisionParts.join(', ')}`]),
    ]
  })
}

/** The README's test command is the one CI runs: what a reader is told is what is tested. */
export const checkTestCommand: Checker = (files) => {
  const readme = files.find((file) => file.path === 'README.md')
  const ci = files.find((file) => file.path === '.ci/run')
  if (!readme || !ci) return ['README.md and .ci/run were not both given']
  const command = /^```sh\n(npm ci && npm test)\n```$/m.exec(readme.text)?.[1]
  if (command === undefined) return ['README.md does not show the test command in a block of its own']
  const lines = ci.text.split('\n').map((line) => line.trim())
  return lines.includes(command) ? [] : [`.ci/run does not run "${command}", which README.md promises`]
}

// In pieces, so that this file does not contain what it looks for.
const machine = new RegExp(
  [
    `(?<![\\w.])/(?:${['ro' + 'ot', 'wo' + 'rk', 'ho' + 'me/\\w+', 'Us' + 'ers/\\w+'].join('|')})/`,
    `\\bregis${'try'}\\.[a-z]`,
    `"resolved": "htt${'p'}`,
    `https?://[\\w.-]*(?:artifactory|verdaccio|nexus-repo)`,
  ].join('|'),
  'g',
)

export const checkMachine: Checker = eachFile(
  () => true,
  ({ path, text }) =>
    [...text.matchAll(machine)].map(
      (match) => `${path}:${lineAt(text, match.index)} names a machine: ${match[0]}`,
    ),
)

function linksOf(page: SourceFile): readonly { readonly target: string; readonly line: number }[] {
  const prose = page.text.replace(/^```[\s\S]*?^```|`[^`\n]*`/gm, (code) => code.replace(/[^\n]/g, ' '))
  return [...prose.matchAll(/\]\((?<target>[^)\s]+)\)/g)].map((match) => ({
    target: match.groups?.target ?? '',
    line: lineAt(prose, match.index),
  }))
}

function leadsSomewhere(page: SourceFile, target: string, known: ReadonlyMap<string, SourceFile>): boolean {
  if (/^[a-z]+:/.test(target)) return true
  const [file = '', anchor] = target.split('#')
  const path = file === '' ? page.path : join(dirname(page.path), file).replace(/\/$/, '')
  const isFolder = [...known.keys()].some((other) => other.startsWith(`${path}/`))
  const there = known.get(path)
  if (anchor === undefined) return there !== undefined || isFolder
  return there !== undefined && headingAnchors(there.text).includes(anchor)
}

function headingAnchors(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map((match) =>
    (match[1] ?? '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
