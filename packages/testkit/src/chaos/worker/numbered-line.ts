// A line that a handler logs: which of its execution it is, so that one which stands twice is noticed.

export function numberedLine(run: string, number: number): string {
  return `line ${number} of ${run}`
}

/** The execution that wrote it, if any did. */
export function runOfLine(text: string): string | null {
  return /^line \d+ of (\S+)$/.exec(text)?.[1] ?? null
}
