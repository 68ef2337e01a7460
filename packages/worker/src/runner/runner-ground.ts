// What all runners of one worker stand on: their environment and user, a home for a user that has none, the guard that
// finds what they leave behind, and the control group they are put in where there is one.

import { randomUUID } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasProcessTable } from './process-table.ts'
import { CgroupHome, delegatedGroup, type RunnerCgroup } from './runner-cgroup.ts'
import { markVariable, runnerEnvironment } from './runner-environment.ts'
import { RunnerGuard } from './runner-guard.ts'
import type { RunnerOptions, RunnerUser } from './runner-options.ts'

export class RunnerGround {
  readonly options: RunnerOptions
  readonly user: RunnerUser | null
  readonly guard: RunnerGuard | null
  readonly #mark = `${randomUUID()}.`
  readonly #home: string | null
  readonly #environment: Readonly<Record<string, string>>
  readonly #cgroups: CgroupHome | null
  #count = 0

  constructor(options: RunnerOptions, user: RunnerUser | null) {
    this.options = options
    this.user = user
    this.#home = user && makeHome(user)
    this.#environment = {
      ...runnerEnvironment(process.env, options.env ?? []),
      ...(this.#home !== null && { HOME: this.#home, TMPDIR: this.#home }),
    }
    this.#cgroups = openCgroups(options)
    this.guard = hasProcessTable ? this.#startGuard() : null
  }

  /** What holds the memory limit, in words. */
  get limitedBy(): string {
    const limit = `a job may have ${this.options.memoryMb} MB`
    if (this.#cgroups) return `${limit}, held by a control group`
    return hasProcessTable ? `${limit}, held by looking` : `${limit} of JavaScript heap`
  }

  /** No other runner has it, and none is the beginning of another. */
  newMark(): string {
    this.#count += 1
    return `${this.#mark}${this.#count}.`
  }

  environmentWith(mark: string): Record<string, string> {
    return { ...this.#environment, [markVariable]: mark }
  }

  newCgroup(): RunnerCgroup | null {
    return this.#cgroups?.make() ?? null
  }

  /** Ends whatever is left of any runner. */
  async close(): Promise<void> {
    await this.guard?.close()
    if (this.#home !== null) rmSync(this.#home, { recursive: true, force: true })
  }

  #startGuard(): RunnerGuard {
    return new RunnerGuard(this.#mark, this.user, this.#home, (why) => {
      this.options.logger?.warn(`what runners leave behind cannot be found: /bin/sh did not start (${why})`)
    })
  }
}

function openCgroups({ cgroup, memoryMb, cpus }: RunnerOptions): CgroupHome | null {
  const folder = cgroup === undefined ? delegatedGroup() : cgroup
  if (folder === null || !hasProcessTable) return null
  return CgroupHome.open(folder, {
    memoryMb,
    ...(cpus !== undefined && { cpus }),
  })
}

/** Its own temporary folder may be out of this user's reach, so it is made where everybody may write. */
function makeHome({ uid, gid }: RunnerUser): string {
  const home = mkdtempSync(join(existsSync('/tmp') ? '/tmp' : tmpdir(), 'millrace-runner-'))
  chownSync(home, uid, gid)
  chmodSync(home, 0o700)
  return home
}
