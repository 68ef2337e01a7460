// A directory of a test's own under the system's temporary one, gone when the test process ends.

import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atExit } from './at-exit.ts'

export async function makeTempDir(purpose: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), `millrace-${purpose}-`))
  atExit(() => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }))
  return directory
}
