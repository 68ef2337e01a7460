// npm test: finds or fetches what the tests need beyond npm, runs them all, and ends with one line of counts.
// What could not be had is left out, said loudly at the end, and under CI is a failure. Arguments go to vitest.

import { globSync } from 'node:fs'
import { parseCLI, startVitest } from 'vitest/node'
import { install, mayInstall } from './install-needs.ts'
import { findLacks, type Lack, withoutVariable } from './needs.ts'
import { closingLine, countTests, type TestCounts } from './test-counts.ts'

const lacks = provide()
process.env[withoutVariable] = lacks.map((lack) => lack.need.command).join(',')
const counts = await runTests(process.argv.slice(2))
const leftOut = lacks.map((lack) => ({ lack, files: globSync(`{packages,examples}/${lack.need.suites}`) }))

if (counts.failed > 0) process.exitCode = 1
for (const { lack, files } of leftOut) shout(lack, files)
if (lacks.length > 0 && process.env.CI === 'true') {
  console.error('CI=true: what was left out counts as a failure.')
  process.exitCode = 1
}
const skippedFiles = leftOut.flatMap(({ files }) => files).length
console.log(closingLine({ ...counts, skipped: counts.skipped + skippedFiles }))
// A handle that a test forgot must not keep the run alive after its verdict.
process.exit()

function provide(): readonly Lack[] {
  const missing = findLacks()
  if (missing.length === 0 || !mayInstall()) return missing
  for (const { need, reason } of missing) console.log(`${need.command}: ${reason}`)
  install(missing, (line) => console.log(line))
  return findLacks()
}

async function runTests(args: readonly string[]): Promise<TestCounts> {
  const { filter, options } = parseCLI(['vitest', 'run', ...args])
  const vitest = await startVitest(filter, { ...options, watch: false })
  const counted = countTests(vitest.state.getTestModules(), vitest.state.getUnhandledErrors().length)
  await vitest.close()
  return counted
}

function shout({ need, reason }: Lack, files: readonly string[]): void {
  const bar = '!'.repeat(80)
  console.error(
    `\n${bar}\nLEFT OUT: ${files.length} test files that need ${need.command} (${reason}).\n` +
      `Get it with: apt-get install ${need.debian} (version ${need.leastMajor} or newer), then run npm test again.\n` +
      `Each of these files counts as one skipped:\n${files.map((file) => `  ${file}`).join('\n')}\n${bar}\n`,
  )
}
