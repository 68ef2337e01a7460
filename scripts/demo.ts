// npm run demo: a tour in about a minute. Starts everything in a folder of its own, runs the commands a person would type,
// shows each with what it prints, and leaves nothing behind. It ends with 1 if a command did not end as it should.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

interface Stop {
  /** What it shows, for whoever watches. */
  readonly about: string
  readonly command: string
  readonly exitCode?: number
}

const tour: readonly Stop[] = [
  { about: 'What can be run: the pool serves three built-in extensions.', command: 'extensions ls' },
  {
    about: 'A job, followed to its end. Its exit code is the result of the job.',
    command: 'submit MonteCarloPi --set samples=2000000 --follow',
  },
  {
    about: 'What does not fit the schema is refused before anything is queued, and says what is wrong.',
    command: 'submit MonteCarloPi --set samples=-1',
    exitCode: 1,
  },
  { about: 'Jobs as everybody in the room sees them.', command: 'jobs ls' },
  { about: 'Who does the work, and what is free.', command: 'workers ls' },
  { about: 'Whether all is well, and what to do where it is not.', command: 'doctor' },
]

const folder = mkdtempSync(join(tmpdir(), 'millrace-demo-'))
const env: NodeJS.ProcessEnv = { ...process.env, MILLRACE_PROFILES: join(folder, 'profiles.json') }
for (const name of ['MILLRACE_URL', 'MILLRACE_TOKEN', 'MILLRACE_ROOM', 'MILLRACE_PROFILE']) delete env[name]
const millrace = join(import.meta.dirname, '../packages/cli/bin/millrace.cjs')

const server = start(
  ['dev', '--port', '0', '--data-dir', join(folder, 'data')],
  ['ignore', 'pipe', 'inherit'],
)
process.on('SIGINT', () => server.kill('SIGINT'))
try {
  await ready(server)
  for (const stop of tour) await show(stop)
} finally {
  server.kill('SIGTERM')
  if (server.exitCode === null) await once(server, 'exit')
  rmSync(folder, { recursive: true, force: true })
}
console.log('\nThat was it, and nothing of it is left. To stay: npm start')

function start(args: readonly string[], stdio: ('ignore' | 'pipe' | 'inherit')[]): ChildProcess {
  return spawn(process.execPath, [millrace, ...args], { env, stdio })
}

/** Shows what the server says, and resolves when it has said that it is up. */
async function ready(child: ChildProcess): Promise<void> {
  if (!child.stdout) throw new Error('the server speaks into nothing')
  for await (const line of createInterface({ input: child.stdout })) {
    console.log(line)
    if (line.includes('Ctrl-C stops it.')) return
  }
  throw new Error('the server ended before it was up')
}

async function show({ about, command, exitCode = 0 }: Stop): Promise<void> {
  console.log(`\n# ${about}\n$ millrace ${command}`)
  const [code] = await once(start(command.split(' '), ['ignore', 'inherit', 'inherit']), 'exit')
  if (code === exitCode) return
  console.error(`demo: 'millrace ${command}' ended with ${code}, not with ${exitCode}`)
  process.exitCode = 1
}
