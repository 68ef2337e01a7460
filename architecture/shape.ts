// The shape of a source file: how long it may be, and that it opens by saying what it answers for.

import { segments } from './code-view.ts'
import { type Checker, eachFile } from './describe-checker.ts'
import { isTest, isTypeScript } from './source-file.ts'

const maxLines = 400
const maxHeadLines = 5

/** Files that are longer, each with its reason. An entry that is no longer needed is a problem as well. */
const longFiles: Readonly<Record<string, string>> = {}

const isShaped = (path: string): boolean =>
  isTypeScript(path) && !isTest(path) && /^(?:packages|bench|scripts|architecture|examples)\//.test(path)

export function checkSize(reasons: Readonly<Record<string, string>> = longFiles): Checker {
  return eachFile(isShaped, ({ path, text }) => {
    const lines = text.trimEnd().split('\n').length
    const excused = reasons[path] !== undefined
    if (lines > maxLines && !excused)
      return [`${path} has ${lines} lines; over ${maxLines} asks for a reason`]
    if (lines <= maxLines && excused) return [`${path} has ${lines} lines and needs no reason any more`]
    return []
  })
}

export const checkHead: Checker = eachFile(isShaped, ({ path, text }) => {
  const head = headComment(text)
  if (head === '') return [`${path} does not open with a comment that says what it answers for`]
  const lines = head.split('\n').length
  return lines > maxHeadLines
    ? [`${path} opens with ${lines} lines of comment; ${maxHeadLines} are enough`]
    : []
})

/** The comments before the first code, up to the first empty line between them; a table may follow an empty `//`. */
function headComment(text: string): string {
  const parts = segments(text.replace(/^#!.*\n/, ''))
  let head = ''
  for (const part of parts) {
    const ends =
      part.text === '//' ||
      (part.kind !== 'comment' && (part.text.trim() !== '' || part.text.includes('\n\n')))
    if (ends) break
    head += part.text
  }
  return head.trim()
}
