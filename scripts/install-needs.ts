// Fetches missing programs with apt-get where we may (root on Debian), and leaves no service running: Debian starts
// what it installs unless /usr/sbin/policy-rc.d says no, so for the time of the installation it does.

import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import type { Lack } from './needs.ts'

const policyFile = '/usr/sbin/policy-rc.d'
const actionForbidden = '#!/bin/sh\nexit 101\n'

export function mayInstall(): boolean {
  const root = process.getuid?.() === 0
  return root && spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0
}

/** Says what it does and whether it worked; the caller looks again for what is there now. */
export function install(lacks: readonly Lack[], say: (line: string) => void): void {
  const packages = lacks.map((lack) => lack.need.debian)
  withoutStartingServices(() => {
    const steps = [['update'], ['install', '-y', '--no-install-recommends', ...packages]]
    for (const step of steps) {
      say(`apt-get ${step.join(' ')} …`)
      const { status, stdout, stderr } = spawnSync('apt-get', ['-q', ...step], {
        encoding: 'utf8',
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      if (status === 0) continue
      say(`apt-get ${step[0]} failed:\n${stdout}${stderr}`)
      return
    }
    say(`installed ${packages.join(', ')}`)
  })
}

function withoutStartingServices(work: () => void): void {
  const ours = !existsSync(policyFile)
  if (ours) writeFileSync(policyFile, actionForbidden, { mode: 0o755 })
  try {
    work()
  } finally {
    if (ours) rmSync(policyFile)
  }
}
