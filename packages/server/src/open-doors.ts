// Opens the doors of a server, HTTP and sockets, with what stands before them.

import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config/config.ts'
import { isLoopback } from './config/derived-config.ts'
import { describeOptions } from './config/describe-options.ts'
import type { ConfigSources } from './config/read-config.ts'
import type { FeedRelay } from './feed/feed-relay.ts'
import { addRoutes } from './http/add-routes.ts'
import { bodyLimits, widestBody } from './http/body-limits.ts'
import { addressReader } from './http/client-address.ts'
import { guardFigures } from './http/figures-guard.ts'
import { createHttpServer } from './http/http-server.ts'
import { OpenRequests } from './http/open-requests.ts'
import { logRequests } from './http/request-log.ts'
import { Site } from './http/site.ts'
import type { Metrics } from './metrics/metrics.ts'
import { StoreUnavailable } from './ports/store-unavailable.ts'
import type { ServerParts } from './server-parts.ts'
import { openSockets, type Sockets } from './socket/socket-server.ts'

const webFolder = join(import.meta.dirname, '../../web/dist')

export interface DoorSetup {
  readonly config: Config
  /** Where its values come from, for the page that shows them. */
  readonly sources?: ConfigSources
  readonly version: string
  readonly log: { warn(message: string): void; debug?(message: string): void }
}

export interface DoorParts {
  readonly parts: ServerParts
  readonly relay: FeedRelay
  readonly metrics: Metrics
  readonly notReady: () => string | null
  readonly onFault: (fault: unknown, where?: string) => void
}

export interface Doors {
  readonly http: FastifyInstance
  readonly requests: OpenRequests
  readonly sockets: Sockets
}

export async function openDoors(setup: DoorSetup, doorParts: DoorParts): Promise<Doors> {
  const { config, log } = setup
  const { parts, relay, onFault } = doorParts
  const { publicUrl, corsOrigins, host } = config
  const site = new Site({ onLoopback: isLoopback(host), publicUrl, corsOrigins })
  const addressOf = addressReader(config.trustProxy)
  const { http, requests } = await openHttp(setup, doorParts, site, addressOf)
  const sockets = openSockets(http.server, parts, relay, {
    ...config,
    site,
    addressOf,
    handshakeMs: config.headerTimeoutMs,
    messageMaxBytes: Math.max(4_000_000, 2 * config.resultMaxBytes),
    pause,
    onFault,
    warn: (message) => log.warn(message),
    ...(log.debug && { debug: log.debug }),
  })
  return { http, requests, sockets }
}

function nullIfOut(fault: unknown): null {
  if (fault instanceof StoreUnavailable) return null
  throw fault
}

async function openHttp(
  { config, sources, version, log }: DoorSetup,
  { parts, metrics, notReady, onFault }: DoorParts,
  site: Site,
  addressOf: ReturnType<typeof addressReader>,
): Promise<Pick<Doors, 'http' | 'requests'>> {
  const bodyMaxBytes = widestBody(config)
  const { docs, maxConnections, headerTimeoutMs, requestTimeoutMs, metricsToken } = config
  const patience = { maxConnections, headerTimeoutMs, requestTimeoutMs }
  const http = await createHttpServer({ bodyMaxBytes, docs, version, site, webFolder, ...patience, onFault })
  const requests = new OpenRequests(http)
  if (metricsToken !== null) guardFigures(http, metricsToken)
  if (log.debug) logRequests(http, addressOf, log.debug)
  addRoutes(http, parts, {
    notReady,
    describeStore: () => parts.store.describe().catch(nullIfOut),
    metrics: config.metrics ? () => metrics.text() : null,
    docs,
    addressOf,
    options: describeOptions(config, sources),
    bodyLimitOf: bodyLimits(config),
  })
  return { http, requests }
}
