// npm run check: what is run before every commit. Every step runs even when one before it failed, each says its time
// in one line, and what failed is shown at the end.

import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'

interface Step {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
}

const steps: readonly Step[] = [
  {
    name: 'lint',
    command: 'biome',
    args: ['ci', '--colors=off', '--diagnostic-level=warn', '--error-on-warnings'],
  },
  { name: 'promises and switches', command: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  { name: 'types', command: 'tsc', args: ['-b'] },
  {
    name: 'unit tests',
    command: 'vitest',
    args: ['run', '--project', 'domain', '--project', 'architecture', '--reporter', 'dot'],
  },
  { name: 'dead code', command: 'knip', args: ['--no-progress', '--treat-config-hints-as-errors'] },
]

const failures: string[] = []
for (const step of steps) {
  const begun = performance.now()
  const { ok, output } = await run(step)
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${step.name.padEnd(22)} ${seconds.padStart(6)} s`)
  if (!ok) failures.push(`\n──── ${step.name}: ${step.command} ${step.args.join(' ')}\n${output}`)
}
for (const failure of failures) console.error(failure)
console.log(
  failures.length === 0 ? 'check passed' : `check failed: ${failures.length} of ${steps.length} steps`,
)
process.exitCode = failures.length === 0 ? 0 : 1

function run(step: Step): Promise<{ ok: boolean; output: string }> {
  const path = `${join(import.meta.dirname, '../node_modules/.bin')}${delimiter}${process.env.PATH}`
  const child = spawn(step.command, step.args, {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, PATH: path, NO_COLOR: '1', FORCE_COLOR: undefined },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ ok: false, output: `${step.command}: ${error.message}` }))
    child.on('close', (code) => resolve({ ok: code === 0, output }))
  })
}
