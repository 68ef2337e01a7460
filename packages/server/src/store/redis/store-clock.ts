// Redis's time, without asking for it each time: how far it is from this process's own monotonic clock, measured again
// every so often. All replicas then agree on instants to within half a round trip, however far their wall clocks are
// apart and whoever sets them meanwhile.

import type { RedisConnection } from './redis-connection.ts'

const measureEveryMs = 30_000
/** One round trip may wait for a process that is busy, and half of that wait would be an error; hardly all of them do. */
const roundTrips = 5

export class StoreClock {
  readonly #virtual: (() => number) | undefined
  #offsetMs = 0
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
    return this.#virtual ? this.#virtual() : Math.round(performance.now() + this.#offsetMs)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #measure(connection: RedisConnection): Promise<void> {
    let shortest = await ask(connection)
    for (let asked = 1; asked < roundTrips; asked += 1) {
      const next = await ask(connection)
      if (next.tookMs < shortest.tookMs) shortest = next
    }
    this.#offsetMs = shortest.offsetMs
  }
}

interface Measured {
  readonly offsetMs: number
  readonly tookMs: number
}

function ask(connection: RedisConnection): Promise<Measured> {
  return connection.call(async (client) => {
    // Read for each try: a call that waits out an outage would put half of it into the offset.
    const askedAt = performance.now()
    const [seconds, micros] = (await client.time()) as unknown as [string, string]
    const answeredAt = performance.now()
    const offsetMs = Number(seconds) * 1000 + Number(micros) / 1000 - (askedAt + answeredAt) / 2
    return { offsetMs, tookMs: answeredAt - askedAt }
  })
}
