// V8 compiles and collects in a thread beside the event loop. Where there are two processors that thread kept whoever was
// to answer from one, for up to a slice of the scheduler (3 ms): it makes way for whoever answers. With more processors the
// event loop waits for such threads in every collection, and they must not be slow.

import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, constants, getPriority, setPriority } from 'node:os'

/** Of a server that was started with a lower one everything has that already. */
const below = constants.priority.PRIORITY_BELOW_NORMAL

export function letEngineMakeWay(): void {
  if (process.platform !== 'linux' || availableParallelism() > 2) return
  try {
    // To Linux a thread has a priority of its own, by its own number.
    for (const id of engineThreads()) if (getPriority(id) < below) setPriority(id, below)
  } catch {
    // Somebody hides /proc, or the thread has ended: it stays as it was.
  }
}

function engineThreads(): readonly number[] {
  const tasks = '/proc/self/task'
  return readdirSync(tasks)
    .filter((id) => readFileSync(`${tasks}/${id}/comm`, 'utf8').trim() === 'V8Worker')
    .map(Number)
}
