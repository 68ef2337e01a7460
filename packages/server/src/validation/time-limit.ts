// Stops JavaScript that runs for too long, from inside the process that runs it: only Node's vm can. A process that had
// to be killed for it would have to be started and warmed up again, which costs more than most attacks.

import { createContext, Script } from 'node:vm'

const box = { work: (): unknown => undefined }
createContext(box)
const run = new Script('work()')

/** On a machine that has other things to do, work that had less than half of its time on a processor gets this much more. */
const timesWhenStarved = 4
/** The longest that it may take altogether, in limits. */
export const longestInLimits: number = 1 + timesWhenStarved

/** False when it was stopped. What it was working on is then in no defined state, and to be thrown away. */
export function withinLimit(limitMs: number, work: (isAgain: boolean) => unknown): boolean {
  const before = process.cpuUsage()
  if (ends(limitMs, () => work(false))) return true
  const { user, system } = process.cpuUsage(before)
  const wasStarved = (user + system) / 1_000 < limitMs / 2
  return wasStarved && ends(timesWhenStarved * limitMs, () => work(true))
}

function ends(limitMs: number, work: () => unknown): boolean {
  box.work = work
  try {
    run.runInContext(box, { timeout: Math.max(1, Math.ceil(limitMs)) })
    return true
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException | undefined)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false
    throw fault
  } finally {
    box.work = () => undefined
  }
}
