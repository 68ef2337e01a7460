// Does something at fixed instants, whether or not what it did before is finished. The clock is read right before each,
// so time that a request waits for a free connection counts as well.

import { now } from './clock.ts'

/** Resolves when everything that was begun is done. */
export async function openLoop(
  count: number,
  everyMs: number,
  begin: (n: number, sentAt: number) => Promise<void>,
): Promise<void> {
  const started = performance.now()
  const underWay: Promise<void>[] = []
  await new Promise<void>((resolve) => {
    const next = (): void => {
      while (underWay.length < count && performance.now() - started >= underWay.length * everyMs)
        underWay.push(begin(underWay.length, now()))
      if (underWay.length === count) resolve()
      else setTimeout(next, Math.max(0, started + underWay.length * everyMs - performance.now()))
    }
    next()
  })
  await Promise.all(underWay)
}
