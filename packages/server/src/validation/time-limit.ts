// Stops JavaScript that runs for too long, from inside the process that runs it: only Node's vm can. A process that had
// to be killed for it would have to be started and warmed up again, which costs more than most attacks.

import { createContext, Script } from 'node:vm'

const box = { work: (): void => undefined }
createContext(box)
const run = new Script('work()')

/** False when it was stopped. What it was working on is then in no defined state, and to be thrown away. */
export function withinLimit(limitMs: number, work: () => void): boolean {
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
