// A folder that looks to npm like a fresh clone after its install, without copying half a gigabyte: what a reader of the
// README types there reaches the sources of this tree, and what it writes is gone with the test.

import { copyFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { makeTempDir } from '../process/temp-dir.ts'
import { type Place, repository } from './command-process.ts'
import { devEnvironment } from './dev-scene.ts'

export async function makeClone(): Promise<Place & { readonly cwd: string }> {
  const cwd = await makeTempDir('clone')
  for (const name of ['node_modules', 'packages', 'examples'])
    symlinkSync(join(repository, name), join(cwd, name))
  copyFileSync(join(repository, 'package.json'), join(cwd, 'package.json'))
  // Everything as a reader has it, but for the port, which may be taken, and what belongs to whoever runs the tests.
  const { MILLRACE_DATA_DIR: _here, ...env } = devEnvironment(join(cwd, '..'))
  return { cwd, env: { ...env, MILLRACE_PROFILES: join(cwd, 'profiles.json') } }
}
