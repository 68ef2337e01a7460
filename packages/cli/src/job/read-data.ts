// `--data`: JSON itself, `@file`, or `-` for stdin.

import { readFile } from 'node:fs/promises'
import { text as readText } from 'node:stream/consumers'
import { usageError } from '../output/cli-error.ts'

export async function readData(given: string | undefined): Promise<unknown> {
  if (given === undefined) return {}
  const text = await textOf(given)
  try {
    return JSON.parse(text)
  } catch (error) {
    const from = given === '-' ? 'stdin' : given.startsWith('@') ? given.slice(1) : '--data'
    throw usageError(`${from} is no JSON: ${(error as Error).message}`)
  }
}

async function textOf(given: string): Promise<string> {
  if (given === '-') return readText(process.stdin)
  if (!given.startsWith('@')) return given
  return readFile(given.slice(1), 'utf8').catch((error: Error) => {
    throw usageError(`--data ${given} cannot be read: ${error.message}`)
  })
}
