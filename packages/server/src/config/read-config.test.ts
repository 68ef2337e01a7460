import { describe, expect, it } from 'vitest'
import type { Config } from './config.ts'
import { type ConfigProblem, showProblems } from './config-problem.ts'
import { storeFile } from './derived-config.ts'
import { type ConfigInput, describeConfig, type ReadConfig, readConfig } from './read-config.ts'
import { redisAddress } from './redis-address.ts'

interface Told {
  readonly args?: readonly string[]
  readonly env?: ConfigInput['env']
  /** Texts by path. */
  readonly files?: Readonly<Record<string, string>>
}

function read({ args = [], env = {}, files = {} }: Told): ReturnType<typeof readConfig> {
  const readFile = (path: string): string => {
    const text = files[path]
    if (text === undefined) throw new Error(`ENOENT: no such file, open '${path}'`)
    return text
  }
  return readConfig({ args, env, readFile })
}

function good(told: Told): ReadConfig {
  const answer = read(told)
  if ('problems' in answer) throw new Error(showProblems(answer))
  if ('help' in answer) throw new Error(answer.help)
  return answer
}

function bad(told: Told): readonly ConfigProblem[] {
  const answer = read(told)
  return 'problems' in answer ? answer.problems : []
}

const fromEnv = (env: Told['env']): Config => good({ env: env ?? {} }).config
const fromFile = (content: unknown): Told => ({
  args: ['--config', 'm.json'],
  files: { 'm.json': JSON.stringify(content) },
})

describe('where a value comes from', () => {
  it('[C1] nothing told, everything has its default', () => {
    const { config, sources } = good({})
    expect(config).toEqual({
      host: '127.0.0.1',
      port: 7717,
      publicUrl: null,
      dataDir: './.millrace',
      redisUrls: [],
      redisReadUrls: [],
      redisCluster: false,
      redisShards: 16,
      redisPrefix: 'millrace',
      trustProxy: [],
      corsOrigins: [],
      secretFile: '.millrace/secret',
      secret: null,
      guests: false,
      adminUser: null,
      adminPassword: null,
      sessionTtlSeconds: 43_200,
      workerTokenTtlSeconds: 3_600,
      pollIntervalMs: 1_000,
      runLimitMs: 240_000,
      jobDataMaxBytes: 1_000_000,
      resultMaxBytes: 1_000_000,
      schemaMaxBytes: 100_000,
      bulkMaxJobs: 1_000,
      auditRetentionSeconds: 7_776_000,
      auditMaxEntries: 100_000,
      bulkMaxBytes: 8_000_000,
      logLinesKept: 1_000,
      logLineMaxBytes: 10_000,
      registrationsPerMinute: 10,
      breakerFailures: 5,
      breakerOpenMs: 60_000,
      signInTriesPerAccount: 5,
      signInTriesPerAddress: 50,
      guestEntriesPerMinute: 60,
      requestsPerMinute: 120_000,
      messagesPerMinute: 120_000,
      uploadBytesPerMinute: 240_000_000,
      logBytesPerMinute: 120_000_000,
      maxConnections: 10_000,
      maxConnectionsPerAddress: 8_000,
      maxConnectionsPerCredential: 8_000,
      sendBufferMaxBytes: 16_000_000,
      headerTimeoutMs: 10_000,
      requestTimeoutMs: 60_000,
      roomMaxPending: 200_000,
      intakeMaxJobs: 50_000,
      intakeMaxDelayMs: 1_000,
      diskReserveBytes: 100_000_000,
      poolSlots: 10,
      poolRunnerMemoryMb: 512,
      poolSweepMs: 60_000,
      poolShortShare: 0.2,
      poolShortMs: 5_000,
      poolHoweverBusy: false,
      shutdownTimeoutMs: 30_000,
      logLevel: 'info',
      docs: true,
      metrics: true,
      metricsToken: null,
    })
    expect(new Set(Object.values(sources).map(({ from }) => from))).toEqual(new Set(['default']))
  })

  it('[C1] a flag counts before the environment, that before the file, that before the default', () => {
    const files = { 'm.json': '{"port": 3, "host": "file.example"}' }
    const env = { MILLRACE_CONFIG: 'm.json' }
    const port = (told: Told): unknown => {
      const { config, sources } = good({ files, ...told })
      return [config.port, sources.port.from, sources.port.name]
    }
    expect(port({ env })).toEqual([3, 'file', 'port in m.json'])
    expect(port({ env: { ...env, MILLRACE_PORT: '2' } })).toEqual([2, 'environment', 'MILLRACE_PORT'])
    expect(port({ env: { ...env, MILLRACE_PORT: '2' }, args: ['--port', '1'] })).toEqual([
      1,
      'flag',
      '--port',
    ])
    expect(good({ files, env, args: ['--port=1'] }).config.host).toBe('file.example')
    const other = { ...files, 'other.json': '{"port": 4}' }
    expect(port({ env, files: other, args: ['--config', 'other.json'] })).toEqual([
      4,
      'file',
      'port in other.json',
    ])
  })

  it('[C1] a value that another overrides is not looked at', () => {
    expect(good({ env: { MILLRACE_PORT: 'nonsense' }, args: ['--port', '1'] }).config.port).toBe(1)
  })

  it.each<[readonly string[], Partial<Config>]>([
    [['--guests'], { guests: true }],
    [['--guests', 'off'], { guests: false }],
    [['--no-docs', '--no-metrics'], { docs: false, metrics: false }],
    [['--guests=yes', '--docs=OFF'], { guests: true, docs: false }],
    [['--guests', '--port', '80'], { guests: true, port: 80 }],
    [['--host=::1'], { host: '::1' }],
    [['--data-dir', 'a=b'], { dataDir: 'a=b' }],
    [
      ['--redis', 'redis://a', '--redis', 'redis://b:7000', '--redis-cluster'],
      { redisUrls: ['redis://a', 'redis://b:7000'], redisCluster: true },
    ],
  ])('[C1] %j is understood', (args, expected) => {
    expect(good({ args }).config).toMatchObject(expected)
  })

  it('[C1] the file has JSON values, and texts with units as well', () => {
    const content = {
      port: 1,
      guests: true,
      redisUrls: ['redis://a'],
      jobDataMaxBytes: '2MB',
      publicUrl: null,
      runLimitMs: '4m',
    }
    expect(good(fromFile(content)).config).toMatchObject({
      ...content,
      jobDataMaxBytes: 2_000_000,
      runLimitMs: 240_000,
    })
  })

  it('[C2] a variable that is set to nothing counts as not set', () => {
    const { config, sources } = good({
      env: { MILLRACE_PORT: '', PORT: '8080', MILLRACE_ADMIN_USER: '', MILLRACE_CONFIG: '' },
    })
    expect(config).toMatchObject({ port: 8080, adminUser: null })
    expect(sources.port.name).toBe('PORT')
  })

  it('[C3] what is served without a credential is on by default only on a loopback address', () => {
    for (const host of ['127.0.0.1', '127.9.9.9', 'localhost', '::1']) {
      expect(good({ args: ['--host', host] }).config).toMatchObject({ docs: true, metrics: true })
    }
    for (const host of ['0.0.0.0', '::', '10.0.0.1', 'localhost.example.org', '127.0.0.1.example.org']) {
      expect(good({ args: ['--host', host] }).config).toMatchObject({ docs: false, metrics: false })
    }
    expect(good({ args: ['--host', '0.0.0.0', '--docs'] }).config).toMatchObject({
      docs: true,
      metrics: false,
    })
  })

  it('[C3] store and secret lie in the data directory', () => {
    const { config } = good({ args: ['--data-dir', '/srv/m'] })
    expect(config.secretFile).toBe('/srv/m/secret')
    expect(storeFile(config)).toBe('/srv/m/store.db')
  })
})

describe("the seeds' variables", () => {
  it('[C4] work, each with the unit it has there', () => {
    const seeds = {
      WORKER_TIMEOUT: '240',
      POLL_INTERVAL: '1.0',
      JOB_DATA_MAX_SIZE: '1_000_000',
      EXTENSION_SCHEMA_MAX_SIZE: '100KB',
      EXTENSION_REGISTRATION_RATE_LIMIT: '10/minute',
      SHUTDOWN_TIMEOUT: '30',
      REDIS_URL: 'redis://cache:6380',
      MILLRACE_HOST: '0.0.0.0',
      PORT: '80',
    }
    expect(fromEnv(seeds)).toMatchObject({
      runLimitMs: 240_000,
      pollIntervalMs: 1_000,
      jobDataMaxBytes: 1_000_000,
      schemaMaxBytes: 100_000,
      registrationsPerMinute: 10,
      breakerFailures: 5,
      breakerOpenMs: 60_000,
      shutdownTimeoutMs: 30_000,
      redisUrls: ['redis://cache:6380'],
      host: '0.0.0.0',
      port: 80,
    })
  })

  it('[C4] give way to our own, which have the unit in their names', () => {
    const env = {
      WORKER_TIMEOUT: '240',
      MILLRACE_RUN_LIMIT_MS: '500',
      POLL_INTERVAL: '0.25',
      PORT: '1',
      MILLRACE_PORT: '2',
    }
    expect(fromEnv(env)).toMatchObject({ runLimitMs: 500, pollIntervalMs: 250, port: 2 })
  })

  it('[C4] may name another unit themselves', () => {
    expect(
      fromEnv({ WORKER_TIMEOUT: '2m', POLL_INTERVAL: '500ms', JOB_DATA_MAX_SIZE: '1MiB' }),
    ).toMatchObject({
      runLimitMs: 120_000,
      pollIntervalMs: 500,
      jobDataMaxBytes: 1_048_576,
    })
  })
})

describe('mistakes', () => {
  it('[C5] are told all at once, each with option, place and what is allowed', () => {
    const problems = bad({
      args: [
        '--port',
        'http',
        '--gests',
        '--log-level=loud',
        'stray',
        '--config',
        'm.json',
        '--max-connections',
      ],
      env: { WORKER_TIMEOUT: '-1', MILLRACE_ADMIN_PASSWORD: 'correct horse', MILLRACE_GUESTS: 'perhaps' },
      files: { 'm.json': '{"hots": "x", "docs": 7, "bulkMaxJobs": 1.5}' },
    })
    expect(problems.map(({ option, from }) => [option, from])).toEqual([
      ['--gests', 'the command line'],
      ['stray', 'the command line'],
      ['--max-connections', 'the command line'],
      ['hots', 'm.json'],
      ['port', '--port'],
      ['guests', 'MILLRACE_GUESTS'],
      ['runLimitMs', 'WORKER_TIMEOUT'],
      ['bulkMaxJobs', 'bulkMaxJobs in m.json'],
      ['logLevel', '--log-level'],
      ['docs', 'docs in m.json'],
      ['adminPassword', 'MILLRACE_ADMIN_PASSWORD'],
    ])
    const shown = showProblems({ problems })
    expect(shown).toContain(
      "port (from --port): 'http' is not allowed; it has to be a whole number from 0 to 65535.",
    )
    expect(shown).toContain("runLimitMs (from WORKER_TIMEOUT): '-1' is not allowed")
    expect(shown).toContain('1.5 is not allowed; it has to be a whole number from 1 to 10000.')
    expect(shown.split('\n')).toHaveLength(11)
  })

  it.each<[readonly string[], string]>([
    [['--prot', '1'], 'Did you mean --port?'],
    [['--redis-clutser'], 'Did you mean --redis-cluster?'],
    [['--sesion-ttl-second=1'], 'Did you mean --session-ttl-seconds?'],
    [['--confg', 'x'], 'Did you mean --config?'],
    [['--no-gests'], 'There is no such flag.'],
    [['--no-port'], 'There is no such flag.'],
    [['--something-else-entirely'], 'There is no such flag.'],
  ])('[C6] the flag in %j is unknown: %s', (args, message) => {
    const problems = bad({ args })
    expect(problems).toHaveLength(1)
    expect(problems[0]?.message).toContain(message)
  })

  it('[C6] an unknown key of the file is told with the nearest known one', () => {
    const problems = bad(fromFile({ redisUrl: 'redis://a', __proto__x: 1, Port: 1 }))
    expect(problems.map(({ message }) => message)).toEqual([
      'There is no such key. Did you mean redisUrls?',
      'There is no such key.',
      'There is no such key. Did you mean port?',
    ])
  })

  it.each<[Told, string]>([
    [{ args: ['--port'] }, 'It has no value.'],
    [{ args: ['--port', '--guests'] }, 'It has no value.'],
    [{ args: ['--config'] }, 'It has no value.'],
    [{ args: ['--port=1', '--port=2'] }, 'It is given more than once'],
    [{ args: ['--guests', '--no-guests'] }, 'It is given more than once'],
    [{ args: ['--no-guests=off'] }, 'say --guests=off instead'],
    [{ args: ['--port='] }, "'' is not allowed"],
    [{ args: ['--config', 'nowhere.json'] }, 'The file cannot be read'],
    [{ args: ['--config', 'a'], files: { a: '{"port": ' } }, 'The file is not JSON.'],
    [{ args: ['--config', 'a'], files: { a: '[1]' } }, 'one JSON object'],
    [{ env: { MILLRACE_CONFIG: 'nowhere.json' } }, 'The file cannot be read'],
    [{ args: ['--host', 'http://x:1'] }, 'a host name or an address'],
    [{ args: ['--public-url', 'millrace.example.org'] }, 'an address like https://'],
    [{ args: ['--public-url', 'https://u:p@example.org'] }, 'without user'],
    [{ args: ['--redis-prefix', 'a{b}', '--redis', 'redis://a'] }, '1 to 64 letters'],
    [{ args: ['--redis', 'http://a'] }, 'redis://host:port'],
    [{ args: ['--redis', 'redis://a/3'] }, 'no database but 0'],
    [{ args: ['--redis', 'redis://a,'] }, 'redis://host:port'],
    [{ env: { MILLRACE_SECRET: 'short' } }, '32 to 4096 characters'],
  ])('[C5] %j is refused: %s', (told, message) => {
    const problems = bad(told)
    expect(problems).toHaveLength(1)
    expect(problems[0]?.message).toContain(message)
  })

  it('[C7] every one of the rules across options is told', () => {
    const secret = 's'.repeat(32)
    const cases: readonly (readonly [Told, string, string])[] = [
      [{ args: ['--redis-cluster'] }, 'redisCluster', 'none is named'],
      [{ args: ['--redis-shards', '8'] }, 'redisShards', 'none is named'],
      [{ args: ['--redis-read', 'redis://b'] }, 'redisReadUrls', 'none is named'],
      [
        { args: ['--redis', 'redis://a', '--redis-cluster', '--redis-read', 'redis://b'] },
        'redisReadUrls',
        'cannot be used with a cluster',
      ],
      [
        { args: ['--redis', 'redis://a', '--redis-read', 'redis://me@b'] },
        'redisReadUrls',
        'half a credential',
      ],
      [{ env: { MILLRACE_REDIS_PREFIX: 'x' } }, 'redisPrefix', 'none is named'],
      [{ args: ['--redis', 'redis://a,redis://b'] }, 'redisUrls', 'nodes of a cluster'],
      [{ args: ['--redis', 'redis://a,rediss://b', '--redis-cluster'] }, 'redisUrls', 'TLS'],
      [{ args: ['--redis', 'redis://:x@a,redis://:y@b', '--redis-cluster'] }, 'redisUrls', 'different users'],
      [{ args: ['--redis', 'redis://me@a'] }, 'redisUrls', 'half a credential'],
      [{ env: { MILLRACE_ADMIN_PASSWORD: 'correct horse' } }, 'adminPassword', 'half a credential'],
      [{ args: ['--admin-user', 'olga'] }, 'adminUser', 'half a credential'],
      [{ args: ['--secret-file', 'x'], env: { MILLRACE_SECRET: secret } }, 'secret', 'leave one out'],
      [{ args: ['--bulk-max-bytes', '5000'] }, 'bulkMaxBytes', 'at least jobDataMaxBytes, which is 1000000'],
    ]
    for (const [told, option, message] of cases) {
      const problems = bad(told)
      expect(problems.map((problem) => problem.option)).toEqual([option])
      expect(problems[0]?.message).toContain(message)
    }
    expect(
      bad({ args: ['--redis-cluster', '--admin-user', 'olga', '--bulk-max-bytes', '1kB'] }),
    ).toHaveLength(3)
  })

  it('[C7] a rule is not asked about a value that was refused itself', () => {
    const problems = bad({ args: ['--redis', 'nonsense', '--redis-cluster', '--admin-user', 'Not A Name'] })
    expect(problems.map(({ option }) => option)).toEqual(['redisUrls', 'adminUser'])
  })

  it('[C7] options that fit together pass', () => {
    const env = { MILLRACE_ADMIN_PASSWORD: 'correct horse', MILLRACE_SECRET: 's'.repeat(32) }
    const urls = 'rediss://u:p%40ss@a:7000,rediss://u:p%40ss@[::1]'
    const { config } = good({ env, args: ['--admin-user', 'olga', '--redis', urls, '--redis-cluster'] })
    expect(redisAddress(config.redisUrls)).toEqual({
      nodes: [
        { host: 'a', port: 7000 },
        { host: '::1', port: 6379 },
      ],
      tls: true,
      username: 'u',
      password: 'p@ss',
    })
    expect(redisAddress([])).toBeNull()
    expect(redisAddress(['redis://localhost'])).toEqual({
      nodes: [{ host: 'localhost', port: 6379 }],
      tls: false,
    })
  })
})

describe('secrets', () => {
  const hidden = 'hunter2-hunter2-hunter2-hunter2-hunter2'

  it('[C8] are masked when the configuration is shown, and other values are not', () => {
    const { config, sources } = good({
      env: {
        MILLRACE_SECRET: hidden,
        MILLRACE_ADMIN_PASSWORD: hidden,
        REDIS_URL: `redis://u:${hidden}@cache:1`,
      },
      args: ['--admin-user', 'olga'],
    })
    const rows = describeConfig(config, sources)
    expect(JSON.stringify(rows)).not.toContain(hidden)
    const row = (option: string) => rows.find((each) => each.option === option)
    expect(row('secret')).toEqual({ option: 'secret', value: '********', source: 'MILLRACE_SECRET' })
    expect(row('redisUrls')).toEqual({
      option: 'redisUrls',
      value: 'redis://u:********@cache:1',
      source: 'REDIS_URL',
    })
    expect(row('adminUser')).toEqual({ option: 'adminUser', value: 'olga', source: '--admin-user' })
    expect(row('guests')).toEqual({ option: 'guests', value: 'off', source: 'default' })
    expect(rows).toHaveLength(Object.keys(config).length)
  })

  it('[C8] are not quoted when they are refused', () => {
    const told: Told = {
      env: {
        MILLRACE_SECRET: 'hunter2',
        MILLRACE_ADMIN_PASSWORD: 'hunter',
        REDIS_URL: 'redis://u:hunter2@cache:1/9',
        MILLRACE_CONFIG: 'm.json',
      },
      files: { 'm.json': '{"adminPassword": "hunter2" oops' },
    }
    expect(bad(told)).toHaveLength(4)
    expect(JSON.stringify(bad(told))).not.toContain('hunter')
  })

  it.each([
    ['--secret', 'MILLRACE_SECRET'],
    ['--admin-password', 'MILLRACE_ADMIN_PASSWORD'],
  ])('[C8] %s is not taken on a command line: use %s', (flag, variable) => {
    for (const args of [[flag, hidden], [`${flag}=${hidden}`]]) {
      const problems = bad({ args })
      expect(problems).toHaveLength(1)
      expect(problems[0]?.message).toContain(variable)
      expect(JSON.stringify(problems)).not.toContain(hidden)
    }
  })
})

it.each([['--help'], ['-h'], ['--prot', '--help']])(
  '[C9] %s answers with a text about every option',
  (...args) => {
    const answer = read({ args })
    const help = 'help' in answer ? answer.help : ''
    for (const option of Object.keys(good({}).config)) {
      const kebab = option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
      expect(
        help.includes(`--${kebab.replace(/^(redis(?:-read)?)-urls$/, '$1')}`) ||
          help.includes(`${option} (variable`),
      ).toBe(true)
    }
  },
)
