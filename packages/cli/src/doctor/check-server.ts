// Is there a server, is it ready, does it keep what it promises, and do its clock and version agree with ours?

import type { Api } from '../connection/api.ts'
import { CliError } from '../output/cli-error.ts'
import { showDuration } from '../output/time.ts'
import { type Check, lookAt, ok, skip, warn } from './check.ts'

const patienceMs = 5_000
/** The header that tells the time has whole seconds. */
const skewMs = 5_000

export async function checkServer(api: Api, ownVersion: string): Promise<readonly Check[]> {
  const { url, from } = api.target
  let skew = 0
  const server = await lookAt('server', async () => {
    const begun = Date.now()
    const { headers } = await api.askFully('GET /health/live', { signal: AbortSignal.timeout(patienceMs) })
    skew = Date.parse(headers.get('date') ?? '') - (begun + Date.now()) / 2
    return ok(`${url} (from ${from}) answers in ${showDuration(Date.now() - begun)}`)
  })
  if (server.verdict === 'fail') return [server]
  const [ready, version] = await Promise.all([checkStore(api), checkVersion(api, ownVersion)])
  return [server, ready, version, await lookAt('clock', () => clockFound(skew))]
}

function checkStore(api: Api): Promise<Check> {
  return lookAt('store', async () => {
    const reply = await api.ask('GET /health/ready', { signal: AbortSignal.timeout(patienceMs) })
    if (reply.status !== 'ready') return warn(reply.reason)
    const { kind, durability, survivesPowerLoss, survivesProcessDeath } = reply.store
    const found = `${kind}. ${durability}`
    return survivesPowerLoss === true && survivesProcessDeath === true
      ? ok(found)
      : warn(found, 'For more set `appendonly yes` and `appendfsync always` in Redis.')
  })
}

function checkVersion(api: Api, own: string): Promise<Check> {
  return lookAt('version', async () => {
    const version = await serverVersion(api)
    if (version === null) return skip(`ours is ${own}; the server does not tell its own (--docs is off)`)
    return version === own
      ? ok(own)
      : warn(`the server is ${version}, this command is ${own}`, 'Install the same version as the server.')
  })
}

async function serverVersion(api: Api): Promise<string | null> {
  try {
    const page = await api.ask('GET /openapi.json', { signal: AbortSignal.timeout(patienceMs) })
    return String((page.info as { version?: unknown } | undefined)?.version ?? '') || null
  } catch (error) {
    if (error instanceof CliError && error.facts.code === 'route_not_found') return null
    throw error
  }
}

function clockFound(skew: number): ReturnType<typeof ok> {
  if (Number.isNaN(skew)) return skip('the server does not tell its time')
  if (Math.abs(skew) < skewMs) return ok('agrees with the server to a few seconds')
  const way = skew > 0 ? 'behind' : 'ahead of'
  return warn(
    `this machine is ${showDuration(Math.abs(skew))} ${way} the server`,
    'Times that are shown are off by as much: set the clock, or switch on NTP.',
  )
}
