// Built-in extensions of every bad temper, for pools that have to survive them.

import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineExtension, type Extension, type Job } from '@millrace/worker'

function trouble<Data = unknown>(name: string, run: (job: Job<Data>) => unknown): Extension {
  return defineExtension<Data>({
    category: 'trouble',
    name,
    scope: 'builtin',
    schema: { type: 'object' },
    policy: { job: { maxAttempts: 1, cancelGraceMs: 100 } },
    run,
  }) as Extension
}

/** Keeps the event loop from turning, so that no message and no signal handler is ever run. */
function block(): never {
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
}

const forever = (): Promise<never> => new Promise(() => setInterval(() => undefined, 1_000))

/** Starts what runs on in a session of its own. */
function leaveBehind(env: NodeJS.ProcessEnv = process.env): number {
  const child = spawn('/bin/sh', ['-c', 'while :; do sleep 1; done'], {
    detached: true,
    stdio: 'ignore',
    env,
  })
  child.unref()
  return child.pid ?? -1
}

const eatingChild = 'const eaten = []; for (;;) eaten.push(Buffer.alloc(1 << 20, 1))'

export const where: Extension = trouble('Where', () => ({
  pid: process.pid,
  mark: process.env.MILLRACE_RUNNER,
}))

export const deaf: Extension = trouble('Deaf', ({ log }) => {
  log('not listening')
  return block()
})

export const ignoring: Extension = trouble('Ignoring', async ({ log, signal }) => {
  signal.addEventListener('abort', () => log('heard, and does not care'))
  log('goes on')
  await forever()
})

/** Obeys: it stops when it is told to. */
export const waits: Extension = trouble('Waits', async ({ log, signal }) => {
  log('waiting')
  await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
})

export const eatsHeap: Extension = trouble('EatsHeap', () => {
  const eaten: number[][] = []
  for (;;) eaten.push(Array.from({ length: 100_000 }, (_, n) => n))
})

export const eatsBuffers: Extension = trouble('EatsBuffers', async () => {
  const eaten: Buffer[] = []
  for (;;) {
    eaten.push(Buffer.alloc(1 << 20, 1))
    if (eaten.length % 16 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
})

export const childEats: Extension = trouble('ChildEats', async () => {
  spawn(process.execPath, ['-e', eatingChild], { detached: true, stdio: 'ignore' })
  await forever()
})

/** Leaves a process behind and returns. */
export const litters: Extension = trouble('Litters', ({ log }) => log(`left ${leaveBehind()}`))

/** The same, but the process has no parent any more when the job ends, as daemons do it. */
export const hides: Extension = trouble('Hides', async ({ log }) => {
  const forks = 'setsid sh -c "while :; do sleep 1; done" >/dev/null 2>&1 & echo $!'
  const parent = spawn('/bin/sh', ['-c', forks], { stdio: ['ignore', 'pipe', 'ignore'] })
  await new Promise<void>((resolve) => {
    parent.stdout.once('data', (pid: Buffer) => {
      log(`left ${String(pid).trim()}`)
      resolve()
    })
  })
  await new Promise((resolve) => parent.once('close', resolve))
})

/** Leaves processes behind, one with the mark and one without, and blocks. */
export const littersAndBlocks: Extension = trouble('LittersAndBlocks', ({ log }) => {
  log(`left ${leaveBehind()} ${leaveBehind({ PATH: process.env.PATH ?? '' })}`)
  return block()
})

/** Does its littering when the job is long over, and writes what it left into a file. */
export const littersLate: Extension = trouble<{ file: string }>('LittersLate', ({ data: { file } }) => {
  setTimeout(() => writeFileSync(file, String(leaveBehind())), 100)
})

export const exits: Extension = trouble('Exits', () => process.exit(3))

export const rejects: Extension = trouble('Rejects', async () => {
  void Promise.reject(new RangeError('out of reach'))
  await forever()
})

export const writes: Extension = trouble<{ lines: number }>('Writes', ({ data: { lines } }) => {
  for (let line = 1; line <= lines; line += 1) process.stdout.write(`line ${line} ${'.'.repeat(90)}\n`)
  process.stderr.write('and an end without a line break')
  return 'written'
})

export const tells: Extension = trouble('Tells', () => {
  const { HOME = '', TMPDIR = '' } = process.env
  for (const folder of new Set([HOME, TMPDIR])) {
    if (folder !== '' && existsSync(folder)) writeFileSync(join(folder, 'a-file'), 'written')
  }
  return { env: process.env, uid: process.getuid?.(), gid: process.getgid?.(), groups: process.getgroups?.() }
})

export const all: readonly Extension[] = [
  ...[
    where,
    deaf,
    ignoring,
    waits,
    eatsHeap,
    eatsBuffers,
    childEats,
    litters,
    hides,
    littersAndBlocks,
    littersLate,
  ],
  ...[exits, rejects, writes, tells],
]

export const module: string = import.meta.url
