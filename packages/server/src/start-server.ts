// Starts a server: its parts, the loops that keep them going, its doors; and stops them again in the opposite order.

import type { AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import type { ExtensionName, WorkerId } from '@millrace/domain'
import type { Config } from './config/config.ts'
import type { ConfigSources } from './config/read-config.ts'
import { expireCredentials } from './credential/expire-credentials.ts'
import { breakerSentence } from './extension/breaker-view.ts'
import { type BreakerChange, Breakers } from './extension/breakers.ts'
import { Extensions } from './extension/extensions.ts'
import { Elsewhere } from './feed/elsewhere.ts'
import { FeedRelay } from './feed/feed-relay.ts'
import { Forgetter } from './feed/forgetter.ts'
import { storeOut } from './http/system.routes.ts'
import type { ReserveSlots } from './job/reserved-slots.ts'
import { LoopDelay } from './limits/loop-delay.ts'
import { Bell, makeParts, surroundingsOf } from './make-parts.ts'
import { Metrics } from './metrics/metrics.ts'
import { timedStore } from './metrics/timed-store.ts'
import { openDoors } from './open-doors.ts'
import { recallSeries, saveSeries } from './overview/keep-series.ts'
import { takeLook } from './overview/take-look.ts'
import { PlacementLoop } from './placement/placement-loop.ts'
import { expireSummaries } from './placement/pool-summaries.ts'
import type { Surroundings } from './placement/take-snapshot.ts'
import type { Store } from './ports/store.ts'
import type { ServerParts } from './server-parts.ts'
import type { Sockets } from './socket/socket-server.ts'
import { restCollector } from './store/collect-at-rest.ts'
import { askForBeats } from './upkeep/beats.ts'
import { dueErrors } from './upkeep/due-errors.ts'
import { dueJobs } from './upkeep/due-jobs.ts'
import { dueLocks } from './upkeep/due-locks.ts'
import { duePresence } from './upkeep/due-presence.ts'
import { dueSeries } from './upkeep/due-series.ts'
import { dueValues } from './upkeep/due-values.ts'
import { dueWorkers } from './upkeep/due-workers.ts'
import { StoreOutage } from './upkeep/store-outage.ts'
import { Upkeep } from './upkeep/upkeep.ts'
import { openAjvValidator } from './validation/ajv-validator.ts'
import { releaseWorker } from './worker/release-worker.ts'
import { returnJobs } from './worker/resume-worker.ts'

export interface ServerSetup {
  readonly config: Config
  /** Where its values come from, for the page that shows them. */
  readonly sources?: ConfigSources
  readonly store: Store
  readonly secret: Uint8Array
  readonly version: string
  /** The extensions that pools bring: their names are reserved. */
  readonly builtins: readonly ExtensionName[]
  readonly log: ServerLog
}

export interface ServerLog {
  /** Only there where somebody wants it: it costs a line for every request. */
  debug?(message: string): void
  info(message: string): void
  warn(message: string): void
  error(fault: unknown, message: string): void
}

export interface RunningServer {
  readonly host: string
  readonly port: number
  readonly parts: ServerParts
  /** One round of upkeep at once, for those who do not want to wait for the next. */
  tick(): Promise<void>
  /**
   * Places nothing more and says that it is not ready, while what runs goes on and is heard. Nothing new is taken in
   * either, unless other replicas are there to run it.
   */
  retire(): Promise<void>
  /** Gives back what a worker of our own left behind that is gone; see release-worker.ts. */
  release(worker: string): Promise<void>
  /** The store is the caller's and stays open. */
  close(): Promise<void>
}

/** How long requests that are being answered are waited for; a commit takes milliseconds, an outage of the store ends them. */
const lastAnswersMs = 2_000

/** With two cores a second one would take the core that answers. */
const validatingProcesses = availableParallelism() > 2 ? 2 : 1

export async function startServer(setup: ServerSetup): Promise<RunningServer> {
  const { config, log } = setup
  const outage = new StoreOutage(log)
  const onFault = faultTeller(log, outage)
  let sockets: Sockets | null = null
  const connections = (): number => sockets?.count() ?? 0
  const { store, metrics, around, known } = makeGround(setup, connections)
  const bell = new Bell()
  const validator = openAjvValidator({ processes: validatingProcesses })
  const breaking = makeBreakers(setup, around, known, metrics, bell, onFault)
  const ground = { store, validator, metrics, around, known, bell, ...breaking }
  const reserve: ReserveSlots = (wanted) => placement.reserve(wanted)
  const loopDelay = new LoopDelay()
  const parts = await makeParts({ ...setup, ...ground, reserve, onFault, loopDelayMs: () => loopDelay.ms })

  const placement: PlacementLoop = makePlacement(parts, around, breaking.breakers, metrics, onFault)
  bell.answerWith(() => placement.wake())
  const relay = new FeedRelay({ store, onFault, pause: () => pause(config.pollIntervalMs) })
  const upkeep = makeUpkeep(parts, around, config, () => sockets, outage, onFault)

  const state = { stopping: false, shared: false }
  const notReady = (): string | null =>
    state.stopping ? 'the server is stopping' : upkeep.isStoreOut ? storeOut : null
  const doors = await openDoors(setup, { parts, relay, metrics, notReady, onFault })
  const { http } = doors
  sockets = doors.sockets
  const retire = async (): Promise<void> => {
    state.stopping = true
    if (!state.shared) parts.submitting.intake.stop()
    await placement.stop()
  }
  const close = async (): Promise<void> => {
    await retire()
    for (const { record, channel } of parts.roster.all()) if (record.channel === 'pull') channel.close()
    await doors.requests.end(lastAnswersMs)
    await doors.sockets.close()
    await http.close()
    await parts.presence.stop()
    await upkeep.stop()
    parts.series.close()
    await saveSeries(store, parts.series).catch(onFault)
    await parts.summaries.stop()
    await relay.stop()
    await validator.close()
    loopDelay.stop()
  }
  try {
    state.shared = (await store.describe()).kind === 'redis'
    const { shared } = state
    relay.listen(new Forgetter(parts, around, { shared, onFault, onLag: (lagMs) => metrics.relayed(lagMs) }))
    listenOn(relay, parts, sockets, shared, onFault)
    await relay.start()
    await around.waiting.look()
    await recallSeries(store, parts.series)
    await http.listen({ host: config.host, port: config.port })
    upkeep.start()
  } catch (fault) {
    // A port that is taken, a store that went away: whoever tries again must not meet what is left of this try.
    await close()
    throw fault
  }

  const { address, port } = http.server.address() as AddressInfo
  const release = (worker: string): Promise<void> => releaseWorker(parts, worker as WorkerId)
  return { host: address, port, parts, tick: () => upkeep.tick(), retire, release, close }
}

function faultTeller(log: ServerLog, outage: StoreOutage): (fault: unknown, where?: string) => void {
  return (fault, where = 'in the background') => {
    if (!outage.covers(fault)) log.error(fault, `fault: ${where}`)
  }
}

function listenOn(
  relay: FeedRelay,
  parts: ServerParts,
  { feed }: Sockets,
  shared: boolean,
  onFault: (fault: unknown) => void,
): void {
  if (shared) relay.listen(new Elsewhere(parts, onFault))
  if (shared) parts.presence.share()
  relay.listen(parts.presence)
  if (shared) parts.summaries.start()
  relay.listen(feed)
  relay.listen(parts.auditKeeper)
}

function makeGround({ store: bare, config }: ServerSetup, connections: () => number) {
  const gauges = { pending: () => 0, oldestSeconds: () => 0, workers: () => 0, running: () => 0, connections }
  const metrics: Metrics = new Metrics({
    ...gauges,
    connectionsMax: () => config.maxConnections,
    pending: () => around.waiting.pending,
    oldestSeconds: () => oldestSeconds(around),
    workers: () => around.roster.size,
    running: () => [...around.roster.all()].reduce((sum, { running }) => sum + running.size, 0),
  })
  const collector = restCollector()
  const store = timedStore(bare, {
    answered: (durationMs) => metrics.committed(durationMs),
    stirs: () => collector.stirs(),
    rests: () => collector.rests(),
  })
  const known = new Extensions(store)
  const around: Surroundings = surroundingsOf(store, known, {
    share: config.poolShortShare,
    boundMs: config.poolShortMs,
  })
  return { store, metrics, known, around }
}

function makeBreakers(
  { config, log }: ServerSetup,
  { store, book }: Surroundings,
  extensions: Extensions,
  metrics: Metrics,
  bell: Bell,
  onFault: (fault: unknown) => void,
) {
  const onBreakerChanged = (change: BreakerChange): void => {
    // Placement plans by what the book says, and would otherwise know only when the log has come round.
    book.forgetAll()
    metrics.breakerChanged(change.view)
    log[change.view === 'open' ? 'warn' : 'info'](breakerSentence(change))
    bell.ring()
  }
  const { runLimitMs } = config
  const breakers = new Breakers({ store, extensions, runLimitMs, onChanged: onBreakerChanged, onFault })
  return { breakers, onBreakerChanged }
}

function makePlacement(
  parts: ServerParts,
  around: Surroundings,
  breakers: Breakers,
  metrics: Metrics,
  onFault: (fault: unknown) => void,
): PlacementLoop {
  return new PlacementLoop({
    ...around,
    active: parts.active,
    breakers,
    returnJobs: (jobs) => returnJobs(parts.reports, jobs),
    onFault,
    onPass: (durationMs) => metrics.placed(durationMs),
    onPlan: (snapshot, plan, planMs) => parts.passes.note(around.store.now(), snapshot, plan, planMs),
  })
}

function oldestSeconds({ waiting, store }: Surroundings): number {
  const heads = [...waiting.all()].map(({ headScore }) => headScore)
  return heads.length === 0 ? 0 : Math.max(0, (store.now() - Math.min(...heads)) / 1_000)
}

function makeUpkeep(
  parts: ServerParts,
  around: Surroundings,
  config: Config,
  sockets: () => Sockets | null,
  outage: StoreOutage,
  onFault: (fault: unknown) => void,
): Upkeep {
  const credentials = async (due: Parameters<typeof expireCredentials>[1]): Promise<void> => {
    await expireCredentials(parts.store, due)
  }
  const upkeep: Upkeep = new Upkeep({
    store: parts.store,
    due: {
      handlers: {
        job: (due) => dueJobs(parts.reports, due, upkeep.steadySince),
        worker: (due) => dueWorkers(parts, due, upkeep.steadySince),
        lock: (due) => dueLocks(parts.store, due),
        pools: (due) => expireSummaries(parts.store, due),
        revoked: credentials,
        'login-code': credentials,
        token: credentials,
        error: (due) => dueErrors(parts.store, due),
        presence: (due) => duePresence(parts.store, due),
        series: (due) => dueSeries(parts.store, due),
        values: (due) => dueValues(parts.store, due),
      },
    },
    waiting: around.waiting,
    askForBeats: (now) => {
      sockets()?.cutExpired(now)
      if (parts.series.wantsLook(now)) parts.series.look(now, takeLook(around))
      saveSeries(parts.store, parts.series).catch(onFault)
      parts.presence.renew(now)
      askForBeats(parts.roster, parts.renewals, now)
    },
    sweep: async () => {
      parts.locks.held.forgetExpired(parts.store.now())
      await parts.failedSignIns.tellRest()
      await parts.auditKeeper.trim()
    },
    wake: parts.wake,
    intervalMs: config.pollIntervalMs,
    outage,
    onFault,
  })
  return upkeep
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
