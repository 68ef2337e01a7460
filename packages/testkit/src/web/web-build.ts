// The web app as the sources have it now: built once for all tests, and again when a source is younger than the build.

import { globSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repository, run } from '../cli-flow/command-process.ts'
import { until } from '../cli-flow/process-family.ts'

const web = join(repository, 'packages/web')
/** Test files run in several processes, and one of them builds. */
const turn = join(tmpdir(), 'millrace-web-build.turn')

export async function ensureWebBuild(): Promise<void> {
  await until(takeTurn)
  try {
    if (isBuilt()) return
    const { code, err } = await run(process.execPath, [join(repository, 'scripts/build-web.ts'), '--quiet'])
    if (code !== 0) throw new Error(`the web app could not be built:\n${err}`)
  } finally {
    giveTurn()
  }
}

/** A turn that somebody left behind who was killed is free after a while. */
const turnMs = 120_000

function takeTurn(): boolean {
  try {
    mkdirSync(turn)
    return true
  } catch {
    // Gone meanwhile: it is free, and may be the next one's before it could be taken away here.
    const begunAt = statSync(turn, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
    if (Date.now() - begunAt > turnMs) giveTurn()
    return false
  }
}

function giveTurn(): void {
  rmSync(turn, { recursive: true, force: true })
}

function isBuilt(): boolean {
  const built = statSync(join(web, 'dist/index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const sources = globSync(['src/**/*', 'index.html', 'vite.config.ts', '../protocol/src/**/*'], { cwd: web })
  return sources.every((path) => statSync(join(web, path)).mtimeMs <= built)
}
