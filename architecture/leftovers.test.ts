import { expect, it } from 'vitest'
import { describeChecker, type Plant } from './describe-checker.ts'
import { checkNotes, checkPurity, checkSleeps, checkSwitchedOff } from './leftovers.ts'

const domainFile = 'packages/domain/src/job/a.ts'
const testFile = 'packages/domain/src/job/a.test.ts'
const planted = (path: string, text: string): Plant => ({
  what: text,
  files: [{ path, text }],
  finds: `${path}:1 `,
})
// In two pieces, so that no search for leftovers finds the plants.
const split = (...pieces: readonly string[]): string => pieces.join('')

describeChecker('[H3] the domain has no clock, no dice and no surroundings', checkPurity, [
  planted(domainFile, 'const now = Date.now()'),
  planted(domainFile, 'const dice = Math.random()'),
  planted(domainFile, 'setTimeout(f, 10)'),
  planted(domainFile, 'const t = performance.now()'),
  planted(domainFile, 'const e = process.env'),
  planted(domainFile, 'const id = crypto.randomUUID()'),
])

it('[H3] the word Date in a comment or a string of the domain is no clock', () => {
  expect(checkPurity([{ path: domainFile, text: "// no Date here\nconst a = 'Date'" }])).toEqual([])
})

describeChecker('[H6] no note to self and no silenced compiler is left', checkNotes, [
  planted(domainFile, split('// TO', 'DO: later')),
  planted('docs/a.md', split('FIX', 'ME')),
  planted(domainFile, split('// @ts-', 'ignore')),
])

describeChecker('[H6] no test is switched off', checkSwitchedOff, [
  planted(testFile, split('it', ".only('a', f)")),
  planted(testFile, split('describe', ".skip('a', f)")),
  planted(testFile, split('test.concurrent', ".todo('a')")),
])

describeChecker('[H7] a test waits for a signal, never for time', checkSleeps, [
  planted(testFile, split('await new Promise((go) => set', 'Timeout(go, 100))')),
  planted(testFile, split('await sle', 'ep(100)')),
  planted(testFile, "import { setTimeout as wait } from 'node:timers/promises'"),
])
