// What is wrong with a configuration, said so that it can be mended without looking anything up.

export interface ConfigProblem {
  /** The option, flag or key it is about. */
  readonly option: string
  /** Where the value came from: `--port`, `MILLRACE_PORT`, `port in millrace.json`. */
  readonly from: string
  /** What is wrong and what is allowed, in whole sentences. */
  readonly message: string
}

export interface ConfigProblems {
  readonly problems: readonly ConfigProblem[]
}

export function showProblems({ problems }: ConfigProblems): string {
  return problems.map(({ option, from, message }) => `${option} (from ${from}): ${message}`).join('\n')
}
