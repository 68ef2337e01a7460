// A directory of a test's own under the system's temporary one, gone at the latest when the test process ends.

import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const made = new Set<string>()
process.once('exit', () => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true })
})

export async function makeTempDir(purpose: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), `millrace-${purpose}-`))
  made.add(directory)
  return directory
}
