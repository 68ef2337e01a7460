// A server as a process of its own, as a user starts it: killed with -9 where the test wants it, and gone with the test.

import { fileURLToPath } from 'node:url'
import { nodeFlags } from '@millrace/server'
import { type ChildLines, startChild } from '../process/child-process.ts'
import { ApiClient } from './api-client.ts'

const mainFile = fileURLToPath(import.meta.resolve('@millrace/server/main'))
const [admin, password] = ['root', 'a password for tests']

export interface ServerProcess {
  readonly url: string
  readonly child: ChildLines
  /** Signed in as the admin it was started with. */
  readonly admin: ApiClient
}

/** `variables` go into its environment, beside those of this process. */
export async function startServerProcess(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const port = args.includes('--port') ? [] : ['--port', '0']
  const fixed = [...port, '--admin-user', admin, ...args]
  const child = startChild(process.execPath, [...nodeFlags, mainFile, ...fixed], {
    ...variables,
    MILLRACE_ADMIN_PASSWORD: password,
  })
  const line = await child.line((each) => each.includes('http://'))
  const url = line.slice(line.indexOf('http://')).trim()
  const nobody = new ApiClient(url, null)
  const { token } = await nobody.expect<{ token: string }>(200, 'POST', '/api/auth/login', {
    user: admin,
    password,
  })
  return { url, child, admin: new ApiClient(url, token) }
}
