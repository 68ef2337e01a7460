// What the tests need beyond npm: one row each. A row names the suites that cannot run without it, so that a machine
// that lacks it still runs the rest. vitest.config.ts reads the same table.

import { spawnSync } from 'node:child_process'

export interface Need {
  readonly command: string
  /** How it is asked for its version where `--version` is not enough; failing means that it is of no use. */
  readonly asked?: readonly string[]
  /** Older majors count as missing. */
  readonly leastMajor: number
  /** The test files that need it. */
  readonly suites: string
  /** The Debian package that brings it. */
  readonly debian: string
}

export interface Lack {
  readonly need: Need
  readonly reason: string
}

export const needs: readonly Need[] = [
  { command: 'redis-server', leastMajor: 7, suites: '**/*.redis.test.ts', debian: 'redis-server' },
  {
    command: 'python3',
    // Debian has Python without what makes a virtual environment.
    asked: ['-c', 'import ensurepip, sys, venv; print(sys.version)'],
    leastMajor: 3,
    suites: '**/*.python.test.ts',
    debian: 'python3-venv',
  },
  { command: 'chromium', leastMajor: 120, suites: '**/*.chromium*.test.ts', debian: 'chromium' },
]

/** Tells the test configuration which needs are not met, as a comma-separated list of commands. */
export const withoutVariable = 'MILLRACE_WITHOUT'

export function suitesToLeaveOut(without: string | undefined): readonly string[] {
  const commands = (without ?? '').split(',').filter((command) => command !== '')
  return commands.map((command) => {
    const need = needs.find((row) => row.command === command)
    if (!need) throw new Error(`${withoutVariable} names "${command}", which no suite needs`)
    return need.suites
  })
}

/** The first number with a dot in what a program says about its version: `v=7.0.15` and `Python 3.11.2` alike. */
export function majorVersion(banner: string): number | null {
  const found = /(\d+)\.\d+/.exec(banner)
  return found ? Number(found[1]) : null
}

export function lackOf(need: Need, banner: string | null): Lack | null {
  if (banner === null) return { need, reason: 'not found' }
  const major = majorVersion(banner)
  if (major === null) return { need, reason: 'its version could not be read' }
  return major < need.leastMajor
    ? { need, reason: `version ${major}, and ${need.leastMajor} is needed` }
    : null
}

export function findLacks(): readonly Lack[] {
  return needs.map((need) => lackOf(need, versionBanner(need))).filter((lack) => lack !== null)
}

export function versionBanner({ command, asked = ['--version'] }: Need): string | null {
  const { status, stdout, stderr } = spawnSync(command, asked, { encoding: 'utf8' })
  return status === 0 ? `${stdout}\n${stderr}` : null
}
