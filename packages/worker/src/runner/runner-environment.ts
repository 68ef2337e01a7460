// What a runner sees of its worker's environment: what programs need to find each other and to write dates and texts,
// and what the options name. Credentials of the worker or of a server in the same process stay out.

import { WorkerError } from '../worker-error.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Found in the environment of everything a runner starts, so that nothing of it can hide. */
export const markVariable = 'MILLRACE_RUNNER'

/** NODE_OPTIONS is left out on purpose: it can load code and files of variables into every Node process. */
const passed: readonly string[] = [
  ...['PATH', 'HOME', 'TMPDIR', 'TZ', 'LANG', 'LANGUAGE', 'LC_*'],
  ...['NODE_ENV', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  // Without these Windows starts no process.
  ...['SYSTEMROOT', 'WINDIR', 'COMSPEC', 'PATHEXT', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA'],
]

/** Variables of our own hold credentials and settings of the server. */
const ours = /^MILLRACE_/i

/** Throws a WorkerError when a variable is asked for that no runner may have. */
export function runnerEnvironment(from: Environment, names: readonly string[]): Record<string, string> {
  const forbidden = names.find((name) => ours.test(name) || name === '*')
  if (forbidden !== undefined) {
    throw new WorkerError(`runnerEnv names ${forbidden}: variables of Millrace are kept from runners.`)
  }
  const wanted = [...passed, ...names]
  const kept = Object.entries(from).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !ours.test(entry[0]) && wanted.some((name) => fits(entry[0], name)),
  )
  return Object.fromEntries(kept)
}

function fits(variable: string, name: string): boolean {
  const [given, wanted] =
    process.platform === 'win32' ? [variable.toUpperCase(), name.toUpperCase()] : [variable, name]
  return wanted.endsWith('*') ? given.startsWith(wanted.slice(0, -1)) : given === wanted
}
