// What must not stay on main: notes to self, tests switched off, tests that sleep, and the clock or the dice inside
// the domain.

import { keeping } from './code-view.ts'
import { type Checker, eachFile } from './describe-checker.ts'
import { isTest, isTypeScript, lineAt, type SourceFile } from './source-file.ts'

// Put together here so that this file does not contain what it looks for.
const notes = new RegExp(`\\b(?:${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK'].join('|')})\\b`, 'g')
const switchedOff = /\b(?:it|test|describe|suite)(?:\.\w+)*\.(?:only|skip|todo|fails)\b/g
const sleeps = /\bset(?:Timeout|Interval)\s*\(|\bsleep\s*\(|\bdelay\s*\(/g
const timers = /^import .*'(?:node:)?timers(?:\/promises)?'/gm
const silenced = /@ts-(?:ignore|expect-error|nocheck)/g
const clockOrDice =
  /\bDate\b|\bMath\s*\.\s*random\b|\bset(?:Timeout|Interval|Immediate)\b|\bperformance\b|\bprocess\s*\.|\bglobalThis\b|\bcrypto\s*\./g

export const checkNotes: Checker = eachFile(
  (path) => /\.(?:tsx?|cjs|lua|sql|md)$/.test(path),
  (file) => [
    ...found(file, file.text, notes, 'is a note to self'),
    ...found(file, file.text, silenced, 'silences the compiler'),
  ],
)

export const checkSwitchedOff: Checker = eachFile(isTest, (file) =>
  found(file, keeping(file.text, 'code'), switchedOff, 'switches a test off or others with it'),
)

export const checkSleeps: Checker = eachFile(isTest, (file) => [
  ...found(file, keeping(file.text, 'code'), sleeps, 'waits for time; wait for a signal'),
  ...found(file, keeping(file.text, 'code', 'string'), timers, 'brings timers into a test'),
])

export const checkPurity: Checker = eachFile(
  (path) => path.startsWith('packages/domain/src/') && isTypeScript(path) && !isTest(path),
  (file) => found(file, keeping(file.text, 'code'), clockOrDice, 'is outside the domain; hand it in'),
)

function found(file: SourceFile, view: string, pattern: RegExp, why: string): readonly string[] {
  return [...view.matchAll(pattern)].map(
    (match) => `${file.path}:${lineAt(view, match.index)} ${match[0].trim()} ${why}`,
  )
}
