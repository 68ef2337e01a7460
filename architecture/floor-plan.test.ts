import { describe, expect, it } from 'vitest'
import { describeChecker, type Plant } from './describe-checker.ts'
import { checkFloors, checkTestkit } from './floor-plan.ts'
import { importsOf } from './imports.ts'

const planted = (path: string, text: string, what = `${path} with ${text}`): Plant => ({
  what,
  files: [{ path, text }],
  finds: `${path}:1 imports`,
})

describeChecker('[H1] a file imports only what its floor may', checkFloors, [
  planted('packages/domain/src/job/a.ts', "import { readFileSync } from 'node:fs'"),
  planted('packages/domain/src/job/a.ts', "import type { Store } from '@millrace/server'"),
  planted('packages/domain/src/job/a.ts', "export { x } from 'left-pad'"),
  planted('packages/domain/src/job/a.ts', "const x = await import('node:crypto')"),
  planted('packages/protocol/src/http/job.ts', "import type { Job } from '@millrace/domain'"),
  planted('packages/server/src/new-id.ts', "import { openSqliteStore } from './store/sqlite/store.ts'"),
  planted('packages/server/src/ports/a.ts', "import type { Database } from '../store/sqlite/database.ts'"),
  planted('packages/server/src/store/sqlite/a.ts', "import { keys } from '../redis/keys.ts'"),
  planted('packages/server/src/store/sqlite/a.ts', "import { Redis } from 'ioredis'"),
  planted('packages/server/src/store/redis/a.ts', "import { DatabaseSync } from 'node:sqlite'"),
  planted('packages/server/src/store/redis/a.ts', "import { submitJob } from '../../job/submit-job.ts'"),
  planted('packages/server/src/store/a.ts', "import { open } from './sqlite/open.ts'"),
  planted(
    'packages/server/src/http/job.routes.ts',
    "import { openSqliteStore } from '../store/sqlite/store.ts'",
  ),
  planted('packages/server/src/http/job.routes.ts', "import { transition } from '@millrace/domain'"),
  planted('packages/server/src/validation/a.ts', "import { submitJobs } from '../job/submit-jobs.ts'"),
  planted('packages/server/src/validation/a.ts', "import { Redis } from 'ioredis'"),
  planted('packages/server/src/validation/a.ts', "import { readFileSync } from 'node:fs'"),
  planted('packages/server/src/job/submit-job.ts', "import { open } from '../validation/ajv-validator.ts'"),
  planted('packages/server/src/config/a.ts', "import { submitJob } from '../job/submit-job.ts'"),
  planted(
    'packages/server/src/job/submit-job.ts',
    "import { openRedisStore } from '../store/redis/redis-store.ts'",
  ),
  planted('packages/server/src/job/submit-job.ts', "import { randomUUID } from 'node:crypto'"),
  planted('packages/server/src/user/sign-in.ts', "import { hash } from '@node-rs/argon2'"),
  planted('packages/server/src/user/sign-in.ts', "import { make } from '../credential/argon2-hasher.ts'"),
  planted('packages/server/src/credential/credentials.ts', "import { randomBytes } from 'node:crypto'"),
  planted('packages/server/src/credential/jose-signer.ts', "import { signIn } from '../user/sign-in.ts'"),
  planted('packages/server/src/credential/jose-signer.ts', "import { Redis } from 'ioredis'"),
  planted('packages/server/src/http/auth.routes.ts', "import { make } from '../credential/jose-signer.ts'"),
  planted('packages/server/src/upkeep/janitor.ts', "import { routes } from '../http/job.routes.ts'"),
  planted('packages/server/src/job/submit-job.ts', "import { Job } from '../../../domain/src/job/job.ts'"),
  planted('packages/worker/src/a.ts', "import { transition } from '@millrace/domain'"),
  planted('packages/extensions/src/a.ts', "import { open } from '@millrace/server'"),
  planted('packages/manager/src/a.ts', "import { open } from '@millrace/server'"),
  planted('packages/web/src/job/a.ts', "import { transition } from '@millrace/domain'"),
  planted('packages/web/src/job/a.ts', "import { readFileSync } from 'node:fs'"),
  planted('packages/web/vite.config.ts', "import { spawn } from 'node:child_process'"),
  {
    what: 'a package without a floor',
    files: [{ path: 'packages/attic/src/a.ts', text: '' }],
    finds: 'stands on no floor',
  },
])

describeChecker('[H2] only tests and benches import the testkit', checkTestkit, [
  planted('packages/server/src/main.ts', "import { cluster } from '@millrace/testkit'"),
  planted('scripts/check.ts', "import { cluster } from '../packages/testkit/src/index.ts'"),
])

describe('what a floor may', () => {
  const allowed: readonly (readonly [string, string])[] = [
    ['packages/domain/src/job/a.ts', "import type { JobId } from '../ids.ts'"],
    ['packages/server/src/store/sqlite/a.ts', "import { DatabaseSync } from 'node:sqlite'"],
    ['packages/server/src/store/redis/a.ts', "import { Redis } from 'ioredis'"],
    ['packages/server/src/validation/a.ts', "import { Ajv2020 } from 'ajv/dist/2020.js'"],
    ['packages/server/src/http/job.routes.ts', "import type { Store } from '../ports/store.ts'"],
    ['packages/server/src/job/submit-job.ts', "import { transition } from '@millrace/domain'"],
    ['packages/server/src/credential/jose-signer.ts', "import { jwtVerify } from 'jose'"],
    ['packages/server/src/http/auth.routes.ts', "import { Credentials } from '../credential/credentials.ts'"],
    ['packages/server/src/main.ts', "import { openSqliteStore } from './store/sqlite/sqlite-store.ts'"],
    ['packages/web/src/job/a.ts', "import type { Job } from '@millrace/domain'"],
    ['packages/domain/src/job/a.ts', "// import { readFileSync } from 'node:fs'"],
    ['packages/domain/src/job/a.ts', "const text = `\nimport { a } from 'left-pad'\n`"],
  ]

  it.each(allowed)('[H1] %s may have %s', (path, text) => {
    expect(checkFloors([{ path, text }])).toEqual([])
  })

  it('[H1] every form of import statement is read', () => {
    const text = [
      "import './a.ts'",
      "import b from 'b'",
      'import {',
      '  c,',
      "} from './c.ts'",
      "import * as d from 'node:d'",
      "export { e } from './e.ts'",
      "export * from './f.ts'",
      "export type { G } from '@millrace/domain'",
      "const h = await import('./h.ts')",
      "new Worker(new URL('./i.ts', import.meta.url))",
      "export const from = 'not an import'",
    ].join('\n')
    const targets = importsOf({ path: 'packages/x/src/index.ts', text }).map(({ target }) => target)
    const inX = (name: string): string => `packages/x/src/${name}.ts`
    const others = ['npm:b', 'node:d', 'packages/domain/src/index.ts']
    expect(new Set(targets)).toEqual(new Set([...['a', 'c', 'e', 'f', 'h', 'i'].map(inX), ...others]))
  })
})
