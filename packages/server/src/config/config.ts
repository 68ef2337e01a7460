// What the server can be told, once everything is read and checked. Each field is described in the table of options.

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export type LogLevel = (typeof logLevels)[number]

export interface Config {
  readonly host: string
  readonly port: number
  readonly publicUrl: string | null
  readonly dataDir: string
  /** Empty: the embedded store. */
  readonly redisUrls: readonly string[]
  /** Empty: everything is read from the Redis above. */
  readonly redisReadUrls: readonly string[]
  readonly redisCluster: boolean
  readonly redisShards: number
  readonly redisPrefix: string
  /** Proxies whose word about a client's address counts. */
  readonly trustProxy: readonly string[]
  /** Origins whose pages may ask, beside our own. */
  readonly corsOrigins: readonly string[]
  readonly secretFile: string
  /** Null: the one in the file. */
  readonly secret: string | null
  readonly guests: boolean
  readonly adminUser: string | null
  readonly adminPassword: string | null
  readonly sessionTtlSeconds: number
  readonly workerTokenTtlSeconds: number
  readonly pollIntervalMs: number
  readonly runLimitMs: number
  readonly jobDataMaxBytes: number
  readonly resultMaxBytes: number
  readonly schemaMaxBytes: number
  readonly bulkMaxJobs: number
  readonly bulkMaxBytes: number
  readonly logLinesKept: number
  readonly logLineMaxBytes: number
  readonly registrationsPerMinute: number
  readonly breakerFailures: number
  readonly breakerOpenMs: number
  readonly signInTriesPerAccount: number
  readonly signInTriesPerAddress: number
  readonly guestEntriesPerMinute: number
  readonly requestsPerMinute: number
  readonly messagesPerMinute: number
  readonly uploadBytesPerMinute: number
  readonly logBytesPerMinute: number
  readonly maxConnections: number
  readonly auditRetentionSeconds: number
  /** In each room, and of what belongs to none. */
  readonly auditMaxEntries: number
  readonly maxConnectionsPerAddress: number
  readonly maxConnectionsPerCredential: number
  readonly sendBufferMaxBytes: number
  readonly headerTimeoutMs: number
  readonly requestTimeoutMs: number
  readonly roomMaxPending: number
  readonly intakeMaxJobs: number
  readonly intakeMaxDelayMs: number
  readonly diskReserveBytes: number
  /** 0: this server runs no pool. */
  readonly poolSlots: number
  readonly poolRunnerMemoryMb: number
  readonly poolSweepMs: number
  readonly poolShortShare: number
  readonly poolShortMs: number
  readonly poolHoweverBusy: boolean
  readonly shutdownTimeoutMs: number
  readonly logLevel: LogLevel
  readonly docs: boolean
  readonly metrics: boolean
  /** Null: the figures are open to whoever reaches them. */
  readonly metricsToken: string | null
}

export type OptionName = keyof Config
