// What a look at one thing found, and how to go about looking: a look that throws has failed, with its own next step.

import { CliError } from '../output/cli-error.ts'

export type Verdict = 'ok' | 'warn' | 'fail' | 'skip'

export interface Check {
  readonly name: string
  readonly verdict: Verdict
  readonly found: string
  readonly next?: string
}

export type Found = Omit<Check, 'name'>

export const ok = (found: string): Found => ({ verdict: 'ok', found })
export const skip = (found: string): Found => ({ verdict: 'skip', found })
export const warn = (found: string, next?: string): Found => ({
  verdict: 'warn',
  found,
  ...(next && { next }),
})
export const fail = (found: string, next?: string): Found => ({
  verdict: 'fail',
  found,
  ...(next && { next }),
})

export async function lookAt(name: string, look: () => Promise<Found> | Found): Promise<Check> {
  try {
    return { name, ...(await look()) }
  } catch (error) {
    if (!(error instanceof CliError)) return { name, ...fail((error as Error).message) }
    return { name, ...fail(error.message, error.facts.next) }
  }
}
