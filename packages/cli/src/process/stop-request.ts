// Until somebody wants a command that stays to end: by Ctrl-C, by a signal, by closing the terminal, or by ending the npm
// that started it. A second request does not wait for the first to be done.

import { readFileSync } from 'node:fs'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type Signal = (typeof signals)[number]

/** As a shell counts them. */
const exitCodeOf: Readonly<Record<Signal, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }

/** A terminal sends Ctrl-C to npm and to us, and npm passes its own on to us: what comes that close is one request. */
const sameRequestMs = 500
const parentLookMs = 1_000

/** Resolves at the first request; at a second one `atOnce` is run and the process exits. */
export function stopRequest(atOnce: () => void): Promise<Signal> {
  // A terminal that was closed cannot be written to, and must not keep us from stopping in good order.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  return new Promise((resolve) => {
    let firstAt: number | null = null
    const hear = (signal: Signal): void => {
      const now = performance.now()
      if (firstAt === null) {
        firstAt = now
        resolve(signal)
      } else if (now - firstAt > sameRequestMs) {
        atOnce()
        process.exit(exitCodeOf[signal])
      }
    }
    for (const signal of signals) process.on(signal, hear)
    if (process.env.npm_lifecycle_event !== undefined) whenParentIsGone(() => hear('SIGHUP'))
  })
}

/** npm passes on neither SIGHUP nor its own death, and the shell that it puts between passes on nothing. */
function whenParentIsGone(run: () => void): void {
  const before = parents()
  const look = setInterval(() => {
    if (parents() === before) return
    clearInterval(look)
    run()
  }, parentLookMs)
  look.unref()
}

/** Whoever started us, and who started that: the shell and npm. Elsewhere than on Linux only the first is known. */
function parents(): string {
  if (process.platform !== 'linux') return String(process.ppid)
  try {
    const status = readFileSync(`/proc/${process.ppid}/status`, 'utf8')
    return `${process.ppid} ${/^PPid:.*$/m.exec(status)?.[0]}`
  } catch {
    return 'gone'
  }
}
