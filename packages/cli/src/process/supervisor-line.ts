// The line between a command and the process that started it and looks after it: an IPC channel that the system closes
// when either side ends, however it ends.

/** Null when nobody started this process to look after it. */
export function supervisorLine(): { tell(message: unknown): void } | null {
  if (process.send === undefined) return null
  return {
    tell: (message) => {
      if (process.connected) process.send?.(message)
    },
  }
}

/** Without its supervisor nobody would end it. The channel itself does not keep the process alive. */
export function endWithSupervisor(end: () => void): void {
  process.once('disconnect', end)
  process.channel?.unref()
}
