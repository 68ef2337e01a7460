// Redis's time, without asking for it each time: how far it is from this process's own monotonic clock, measured again
// every so often. All replicas then agree on instants to within half of a short round trip, however far their wall clocks
// are apart and whoever sets them meanwhile.

import type { RedisConnection } from './redis-connection.ts'

const measureEveryMs = 30_000
/** The first answer of all may have been read late by a busy process; hardly all of several are. */
const answers = 5

/** An answer of Redis, between two instants of this process's own clock. */
interface Told {
  readonly askedAt: number
  readonly answeredAt: number
  readonly redisAt: number
}

/**
 * Redis said its time at some moment in between, so the offset lies within as much. What was known and lies there too is
 * kept: were the middle taken, half of what Redis stood still for would be an error until the next measurement.
 */
export function offsetAfter(knownMs: number | null, { askedAt, answeredAt, redisAt }: Told): number {
  const [least, most] = [redisAt - answeredAt, redisAt - askedAt]
  return knownMs !== null && knownMs >= least && knownMs <= most ? knownMs : (least + most) / 2
}

export class StoreClock {
  readonly #virtual: (() => number) | undefined
  #offsetMs: number | null = null
  #timer: NodeJS.Timeout | undefined

  private constructor(virtual: (() => number) | undefined) {
    this.#virtual = virtual
  }

  static async start(connection: RedisConnection, virtual?: () => number): Promise<StoreClock> {
    const clock = new StoreClock(virtual)
    await clock.#measure(connection)
    // An outage leaves the last offset standing; the next measurement corrects it.
    clock.#timer = setInterval(() => void clock.#measure(connection).catch(() => undefined), measureEveryMs)
    clock.#timer.unref()
    return clock
  }

  now(): number {
    return this.#virtual ? this.#virtual() : Math.round(performance.now() + (this.#offsetMs ?? 0))
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #measure(connection: RedisConnection): Promise<void> {
    for (let asked = 0; asked < answers; asked += 1)
      this.#offsetMs = offsetAfter(this.#offsetMs, await ask(connection))
  }
}

function ask(connection: RedisConnection): Promise<Told> {
  return connection.call(async (client) => {
    // Read for each try: a call that waits out an outage would say nothing about the offset.
    const askedAt = performance.now()
    const [seconds, micros] = (await client.time()) as unknown as [string, string]
    const answeredAt = performance.now()
    return { askedAt, answeredAt, redisAt: Number(seconds) * 1000 + Number(micros) / 1000 }
  })
}
