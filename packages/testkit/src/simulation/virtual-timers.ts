// Puts a virtual clock in the place of Node's timers while a history is played, so that the server's own code runs
// unchanged, and whoever adds a timer to it need not think of the simulation. A timer belongs to the process whose
// event set it.

import type { Appointment, VirtualClock } from './virtual-clock.ts'

interface Timers {
  setTimeout: unknown
  clearTimeout: unknown
  setInterval: unknown
}

export async function withVirtualTimers<Answer>(
  clock: VirtualClock,
  play: () => Promise<Answer>,
): Promise<Answer> {
  const timers = globalThis as Timers
  const real = { ...pickTimers(timers) }
  Object.assign(timers, {
    setTimeout: (run: () => void, ms = 0) => timerOf(clock.after(clock.current, ms, run)),
    clearTimeout: (timer: ReturnType<typeof timerOf> | null | undefined) => {
      if (timer) timer.appointment.cancelled = true
    },
    setInterval: () => {
      throw new Error('an interval would never let a history come to its end')
    },
  })
  const measured = performance.now
  performance.now = () => clock.now
  try {
    return await play()
  } finally {
    Object.assign(timers, real)
    performance.now = measured
  }
}

/** A history ends when it is over, so nothing has to be let go for it. */
function timerOf(appointment: Appointment): { readonly appointment: Appointment; unref(): unknown } {
  return {
    appointment,
    unref() {
      return this
    },
  }
}

function pickTimers({ setTimeout, clearTimeout, setInterval }: Timers): Timers {
  return { setTimeout, clearTimeout, setInterval }
}
