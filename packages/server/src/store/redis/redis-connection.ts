// One connection to Redis or to a Redis Cluster that never resends by itself: when an answer is lost, the call is made
// again under the same change id, which the scripts answer with what really happened. Gives up after `patienceMs`.

import { readFileSync } from 'node:fs'
import { Cluster, Redis } from 'ioredis'
import { StoreFull, StoreUnavailable } from '../../ports/store-unavailable.ts'

export interface RedisAddress {
  readonly nodes: readonly { readonly host: string; readonly port: number }[]
  readonly cluster: boolean
  readonly username?: string
  readonly password?: string
  readonly tls?: boolean
}

export type RedisClient = Redis | Cluster
type Reply = string | number | null | readonly Reply[]

// A server that says nothing for this long while a command waits is taken for half-open and reconnected.
const silenceMs = 4_000
const pauseMs = 50

/** Replies that pass by themselves: the server restarts, fails over, moves slots or is crowded. */
const passing =
  /^((LOADING|CLUSTERDOWN|TRYAGAIN|READONLY|MASTERDOWN|BUSY|NOREPLICAS|UNBLOCKED)\b|ERR max number of clients)/

// Redis names the script in a fault that ended it half-way; what is refused before anything ran has no such mark.
const insideScript = /\bscript: [0-9a-f]{40}\b/

// At its `maxmemory` a Redis refuses scripts before they begin, but for those that say they go on all the same: what was
// taken in is finished, and so freed, above the limit. Taking in does not say so.
const scripts = {
  millraceCommit: { flags: ' flags=allow-oom', files: ['change', 'entries', 'commit'], keys: 11 },
  millraceTakeIn: { flags: '', files: ['change', 'entries', 'commit'], keys: 11 },
  millraceAdd: { flags: ' flags=allow-oom', files: ['change', 'add'], keys: 11 },
  millraceAddIn: { flags: '', files: ['change', 'add'], keys: 11 },
  millraceClaim: { flags: ' flags=allow-oom', files: ['change', 'entries', 'claim'], keys: 11 },
  millraceDue: { flags: ' flags=allow-oom', files: ['due'], keys: 2 },
  millraceLogEnd: { flags: ' flags=allow-oom', files: ['log-end'], keys: 2 },
} as const

type ScriptName = keyof typeof scripts
type ScriptClient = Record<ScriptName, (...args: (string | number)[]) => Promise<Reply>>

export class RedisConnection {
  readonly client: RedisClient
  readonly #patienceMs: number
  readonly #waiting = new Set<() => void>()
  #latest: Promise<unknown> | null = null
  #closed = false

  constructor(client: RedisClient, patienceMs: number) {
    this.client = client
    this.#patienceMs = patienceMs
    // Without a listener ioredis prints every reconnect; the callers learn of trouble by their own calls.
    client.on('error', () => undefined)
    client.on('ready', () => this.#wake())
  }

  static async open(address: RedisAddress, patienceMs: number): Promise<RedisConnection> {
    const connection = new RedisConnection(connect(address), patienceMs)
    try {
      await connection.call((client) => client.ping())
      return connection
    } catch (fault) {
      connection.client.disconnect()
      throw fault
    }
  }

  run(script: ScriptName, keys: readonly string[], args: readonly (string | number)[]): Promise<Reply> {
    return this.call((client) => runScript(client, script, keys, args))
  }

  /** Only for what may be done twice: reads, and scripts that know their change id. */
  call<Answer>(ask: (client: RedisClient) => Promise<Answer>): Promise<Answer> {
    const answer = this.#callUntilAnswered(ask)
    this.#latest = answer
    const forget = (): void => {
      if (this.#latest === answer) this.#latest = null
    }
    answer.then(forget, forget)
    return answer
  }

  /** The answer that was asked for last; null when it is here. Those that were asked for earlier come before it. */
  get awaited(): Promise<unknown> | null {
    return this.#latest
  }

  async #callUntilAnswered<Answer>(ask: (client: RedisClient) => Promise<Answer>): Promise<Answer> {
    const giveUpAt = performance.now() + this.#patienceMs
    let tried = false
    for (;;) {
      if (this.#closed) throw new StoreUnavailable('the store is closed', { outcomeUnknown: tried })
      try {
        return await ask(this.client)
      } catch (cause) {
        const refusal = refusalOf(cause, tried)
        if (refusal) throw refusal
        tried = true
        const leftMs = giveUpAt - performance.now()
        if (leftMs <= 0) {
          const message = `Redis did not answer within ${this.#patienceMs} ms`
          throw new StoreUnavailable(message, { cause, outcomeUnknown: true })
        }
        await this.#untilReady(leftMs)
      }
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#wake()
    await this.client.quit().catch(() => this.client.disconnect())
  }

  #untilReady(atMostMs: number): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(finish)
        resolve()
      }
      const isReady = this.client.status === 'ready'
      const timer = setTimeout(finish, isReady ? Math.min(pauseMs, atMostMs) : atMostMs)
      this.#waiting.add(finish)
    })
  }

  #wake(): void {
    for (const finish of this.#waiting) finish()
  }
}

export function runScript(
  client: RedisClient,
  script: ScriptName,
  keys: readonly string[],
  args: readonly (string | number)[] = [],
): Promise<Reply> {
  return (client as unknown as ScriptClient)[script](...keys, ...args)
}

/** `commandTimeout` is for those who would rather ask somebody else than wait. */
export function connect(address: RedisAddress, more: { readonly commandTimeout?: number } = {}): RedisClient {
  const options = {
    ...more,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    socketTimeout: silenceMs,
    connectTimeout: silenceMs,
    scripts: loadScripts(),
    ...(address.username === undefined ? {} : { username: address.username }),
    ...(address.password === undefined ? {} : { password: address.password }),
    ...(address.tls ? { tls: {} } : {}),
  }
  const retryStrategy = (times: number): number => Math.min(20 * times, 500)
  if (address.cluster) {
    return new Cluster([...address.nodes], {
      redisOptions: options,
      scripts: options.scripts,
      clusterRetryStrategy: retryStrategy,
      slotsRefreshTimeout: silenceMs,
    })
  }
  const [node] = address.nodes
  if (!node) throw new TypeError('an address needs at least one node')
  return new Redis({ ...node, ...options, retryStrategy, enableOfflineQueue: false, lazyConnect: false })
}

function loadScripts(): Record<string, { lua: string; numberOfKeys: number }> {
  const read = (name: string): string =>
    readFileSync(new URL(`./scripts/${name}.lua`, import.meta.url), 'utf8')
  return Object.fromEntries(
    Object.entries(scripts).map(([name, { flags, files, keys }]) => [
      name,
      { lua: [`#!lua${flags}`, ...files.map(read)].join('\n'), numberOfKeys: keys },
    ]),
  )
}

/** The fault to throw for a reply that no other try will change; null for all that may pass. */
export function refusalOf(cause: unknown, triedBefore = false): StoreUnavailable | null {
  if (!(cause instanceof Error) || cause.name !== 'ReplyError' || passing.test(cause.message)) return null
  const outcomeUnknown = triedBefore || insideScript.test(cause.message)
  if (cause.message.startsWith('OOM'))
    return new StoreFull(`Redis has no room: ${cause.message}`, { cause, outcomeUnknown })
  return new StoreUnavailable(`Redis refused: ${cause.message}`, { cause, outcomeUnknown, answered: true })
}
