// SIGTERM and Ctrl-C stop every worker of this process that asked for it; then the process ends. A second signal does
// not wait.

const signals = ['SIGTERM', 'SIGINT'] as const
const stops = new Set<() => Promise<void>>()
let isStopping = false

/** Returns how to be left out again. */
export function stopOnSignal(stop: () => Promise<void>): () => void {
  if (stops.size === 0) for (const signal of signals) process.on(signal, onSignal)
  stops.add(stop)
  return () => {
    stops.delete(stop)
    if (stops.size === 0 && !isStopping) for (const signal of signals) process.off(signal, onSignal)
  }
}

function onSignal(signal: NodeJS.Signals): void {
  if (isStopping) process.exit(signal === 'SIGINT' ? 130 : 143)
  isStopping = true
  void Promise.allSettled([...stops].map((stop) => stop())).then(() => process.exit(0))
}
