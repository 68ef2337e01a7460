// The secret that signs tokens, in a file of its own: made on the first start, read on every later one, and refused when
// others on the machine could read it, because whoever knows it can be anybody.

import { randomBytes } from 'node:crypto'
import { type FileHandle, link, mkdir, open, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'

const secretBytes = 32
const maxBytes = 4_096
const readableByOthers = 0o077

export class SecretUnusable extends Error {
  override readonly name = 'SecretUnusable'
}

export async function openSecret(file: string): Promise<Uint8Array> {
  const there = await readSecret(file)
  if (there) return there
  await makeSecret(file)
  const made = await readSecret(file)
  if (!made) throw new SecretUnusable(`The secret in ${file} vanished right after it was made.`)
  return made
}

/** A secret handed over by the configuration, which has checked its length. */
export function secretOfText(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

async function readSecret(file: string): Promise<Uint8Array | null> {
  let handle: FileHandle
  try {
    handle = await open(file, 'r')
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') return null
    throw new SecretUnusable(`The secret in ${file} cannot be read: ${String(codeOf(fault))}.`, {
      cause: fault,
    })
  }
  try {
    return await readChecked(handle, file)
  } finally {
    await handle.close()
  }
}

/** Looks at the file that was opened and not at its name, which may mean another one by then. */
async function readChecked(handle: FileHandle, file: string): Promise<Uint8Array> {
  const found = await handle.stat()
  if (!found.isFile()) throw new SecretUnusable(`${file} is not a file, so it cannot hold the secret.`)
  // Windows has no such bits: there every file looks as if anybody could read it.
  if (process.platform !== 'win32' && (found.mode & readableByOthers) !== 0) {
    const mode = (found.mode & 0o777).toString(8).padStart(3, '0')
    throw new SecretUnusable(
      `Others can read or change the secret in ${file} (mode ${mode}). If nobody has, run 'chmod 600 ${file}'; ` +
        'otherwise remove the file: a new secret is made, and everybody signs in again.',
    )
  }
  if (found.size < secretBytes || found.size > maxBytes) {
    throw new SecretUnusable(
      `The secret in ${file} has ${found.size} bytes; it has to have ${secretBytes} to ${maxBytes}. ` +
        'Remove the file to have a new one made.',
    )
  }
  return new Uint8Array(await handle.readFile())
}

/**
 * Written under a name of its own and then linked to its place, which fails where one is already: a process that dies
 * in between leaves no half a secret, and of two that start at once both end up with the same.
 */
async function makeSecret(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}-${randomBytes(6).toString('hex')}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(randomBytes(secretBytes))
    await handle.sync()
    await link(draft, file)
  } catch (fault) {
    if (codeOf(fault) !== 'EEXIST') throw fault
  } finally {
    await handle.close()
    await unlink(draft)
  }
}

function codeOf(fault: unknown): unknown {
  return fault instanceof Error && 'code' in fault ? fault.code : undefined
}
