// Runs what must not be left undone when a test process ends, also when it is told to end by a signal, as the test
// runner does with its own. Only what can be done at once: nothing is waited for any more.

const cleanUps = new Set<() => void>()

function cleanUp(): void {
  for (const each of cleanUps) each()
  cleanUps.clear()
}

process.once('exit', cleanUp)
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.once(signal, () => {
    cleanUp()
    // The handler is gone now, so this ends the process as if there had never been one.
    process.kill(process.pid, signal)
  })
}

export function atExit(run: () => void): void {
  cleanUps.add(run)
}
