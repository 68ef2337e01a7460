// What a server for others says when it is ready.

import { self } from '../output/own-name.ts'
import { atTheSameTime } from '../process/slot-count.ts'

export interface StartFacts {
  readonly version: string
  readonly url: string
  readonly store: { readonly kind: string; readonly durability: string }
  /** The folder of the embedded store; null on Redis. */
  readonly where: string | null
  readonly poolSlots: number
  readonly guests: boolean
  readonly docs: boolean
  readonly loginLink: string | null
}

export function startBanner({
  version,
  url,
  store,
  where,
  poolSlots,
  guests,
  docs,
  loginLink,
}: StartFacts): string {
  return [
    '',
    `  Millrace ${version}`,
    '',
    `  at      ${url}`,
    `  store   ${where === null ? 'on Redis' : `${store.kind} in ${where}`}. ${store.durability}`,
    `  pool    ${poolSlots === 0 ? 'none here (--pool-slots 0)' : atTheSameTime(poolSlots)}`,
    `  guests  ${guests ? 'are admitted' : 'are not admitted'}`,
    ...(docs ? [`  docs    ${url}/docs`] : []),
    ...(loginLink === null ? [] : firstLogin(loginLink)),
    '',
    '  Ctrl-C stops it.',
    '',
  ].join('\n')
}

function firstLogin(link: string): readonly string[] {
  return [
    '',
    '  Sign in as admin (works once, within 15 minutes; restart for another, or name one with --admin-user):',
    `    ${self} login '${link}'`,
  ]
}
