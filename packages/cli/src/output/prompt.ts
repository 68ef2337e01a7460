// Asks the person at the keyboard, and only where there is one: a script gives what is asked for on stdin.

import { createInterface } from 'node:readline'
import { text as readText } from 'node:stream/consumers'
import { CliError, exitCodes, usageError } from './cli-error.ts'

const isKeyboard = (): boolean => process.stdin.isTTY === true

export function askLine(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  return new Promise((resolve, reject) => {
    lines.question(question, (answer) => {
      resolve(answer.trim())
      lines.close()
    })
    lines.once('close', () => reject(interrupted()))
  })
}

/** From the keyboard without showing it, or the first line of stdin. */
export async function askPassword(question: string): Promise<string> {
  const password = isKeyboard() ? await askHidden(question) : firstLine(await readText(process.stdin))
  if (password !== '') return password
  throw usageError('No password was given.', 'Type it when asked, or hand it in on stdin.')
}

/** Twice from the keyboard, so that a slip is noticed. */
export async function askNewPassword(user: string): Promise<string> {
  const password = await askPassword(`New password for ${user}: `)
  if (!isKeyboard() || (await askHidden('Once more: ')) === password) return password
  throw usageError('The two passwords differ; nothing was changed.')
}

export function hasKeyboard(): boolean {
  return isKeyboard()
}

function askHidden(question: string): Promise<string> {
  const { stdin, stderr } = process
  // Before it asks: whoever answers at once must not see the answer.
  stdin.setRawMode(true).setEncoding('utf8').resume()
  stderr.write(question)
  return new Promise((resolve, reject) => {
    let typed = ''
    const end = (): void => {
      stdin.off('data', hear).setRawMode(false).pause()
      stderr.write('\n')
    }
    const hear = (keys: string): void => {
      for (const key of keys) {
        if (key === '\u0003') {
          end()
          reject(interrupted())
          return
        }
        if (key === '\r' || key === '\n' || key === '\u0004') {
          end()
          resolve(typed)
          return
        }
        typed = key === '\u007f' || key === '\b' ? typed.slice(0, -1) : typed + key
      }
    }
    stdin.on('data', hear)
  })
}

function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? ''
}

function interrupted(): CliError {
  return new CliError('Nothing was changed.', { exitCode: exitCodes.interrupted, code: 'interrupted' })
}
