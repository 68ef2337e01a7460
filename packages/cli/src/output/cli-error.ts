// Why a command ends without having done what it was asked: a sentence, the next step, and an exit code that scripts can
// tell apart. Everything else that is thrown is a fault of ours and shows its stack.

/** Stable: scripts branch on them. `millrace help exit-codes` lists them. */
export const exitCodes = {
  done: 0,
  /** The job failed, or the server refused. */
  refused: 1,
  /** The command line or the configuration is wrong. */
  usage: 2,
  /** Nobody answers at the address. */
  unreachable: 3,
  /** No credential, a bad one, or one that may not. */
  forbidden: 4,
  /** The job that was followed was cancelled. */
  cancelled: 5,
  /** Ctrl-C while following: the job goes on. */
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

export interface CliErrorFacts {
  readonly exitCode: ExitCode
  /** What to try next, as a sentence or a command. */
  readonly next?: string
  /** The server's code for a refusal, or one of our own. */
  readonly code: string
  readonly details?: unknown
}

export class CliError extends Error {
  readonly facts: CliErrorFacts

  constructor(message: string, facts: CliErrorFacts) {
    super(message)
    this.name = 'CliError'
    this.facts = facts
  }
}

/** The words on the command line are wrong. */
export function usageError(message: string, next?: string): CliError {
  return new CliError(message, { exitCode: exitCodes.usage, code: 'usage', ...(next && { next }) })
}
