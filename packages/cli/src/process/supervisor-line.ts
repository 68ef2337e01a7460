// The line between a command and the process that started it and looks after it: an IPC channel, which the system closes
// when either side ends, however it ends.

export interface SupervisorLine {
  tell(message: unknown): void
  /** The supervisor's answer to the latest question; one is asked at a time. */
  ask(question: unknown): Promise<unknown>
}

/** Null when nobody started this process to look after it. */
export function supervisorLine(): SupervisorLine | null {
  if (process.send === undefined) return null
  const tell = (message: unknown): void => {
    if (process.connected) process.send?.(message)
  }
  return {
    tell,
    ask: (question) =>
      new Promise((resolve) => {
        process.once('message', resolve)
        tell(question)
      }),
  }
}

/** Without its supervisor nobody would end it. Waiting for that does not keep the process alive. */
export function endWithSupervisor(end: () => void): void {
  process.once('disconnect', end)
  process.channel?.unref()
}
