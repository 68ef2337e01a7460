// What the server says when it is ready: where it is, what it keeps and how, and what to try next.

import type { Config } from './config/config.ts'
import type { StoreDescription } from './ports/store.ts'

export interface BannerFacts {
  readonly config: Config
  readonly url: string
  readonly version: string
  readonly store: StoreDescription
  readonly code?: string
}

export function banner({ config, url, version, store, code }: BannerFacts): string {
  const where = store.kind === 'sqlite' ? `in ${config.dataDir}` : 'on Redis'
  return [
    '',
    `  Millrace ${version}`,
    '',
    `  at      ${url}`,
    `  store   ${store.kind} ${where}. ${store.durability}`,
    ...(config.docs ? [`  docs    ${url}/docs`] : []),
    ...(code === undefined ? [] : firstLogin(url, code)),
    '',
    '  Ctrl-C stops it.',
    '',
  ].join('\n')
}

/** A line to be pasted: it signs in and keeps the token where workers and the examples look for it. */
function firstLogin(url: string, code: string): readonly string[] {
  const login = `curl -s ${url}/api/auth/login -H 'content-type: application/json' -d '{"code":"${code}"}'`
  return [
    '',
    '  Sign in as admin (works once, within 15 minutes; restart for another code):',
    `    export MILLRACE_URL=${url}`,
    `    export MILLRACE_TOKEN=$(${login} | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')`,
  ]
}
