// What the addresses of Redis say: nodes, credentials and whether the line is encrypted.

export interface RedisNode {
  readonly host: string
  readonly port: number
}

export interface RedisUrl extends RedisNode {
  readonly tls: boolean
  readonly username: string
  readonly password: string
}

/** What opens a Redis store; the same for all nodes, which the rules across options have checked. */
export interface RedisAddress {
  readonly nodes: readonly RedisNode[]
  readonly tls: boolean
  readonly username?: string
  readonly password?: string
}

const defaultPort = 6379

export function parseRedisUrl(text: string): RedisUrl | undefined {
  const url = URL.parse(text)
  if (!url || !['redis:', 'rediss:'].includes(url.protocol) || url.hostname === '') return undefined
  if (!['', '/', '/0'].includes(url.pathname) || url.search !== '' || url.hash !== '') return undefined
  const username = decoded(url.username)
  const password = decoded(url.password)
  if (username === undefined || password === undefined) return undefined
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? defaultPort : Number(url.port),
    tls: url.protocol === 'rediss:',
    username,
    password,
  }
}

export function redisAddress(urls: readonly string[]): RedisAddress | null {
  const parsed = urls.map(parseRedisUrl).filter((url) => url !== undefined)
  const [first] = parsed
  if (!first) return null
  const { tls, username, password } = first
  return {
    nodes: parsed.map(({ host, port }) => ({ host, port })),
    tls,
    ...(username !== '' && { username }),
    ...(password !== '' && { password }),
  }
}

export function maskRedisUrl(text: string): string {
  const url = URL.parse(text)
  if (!url) return '********'
  if (url.password !== '') url.password = '********'
  return url.href
}

/** A stray percent sign is no escape, and guessing what was meant would try the wrong password. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
