// What a development server says when it is ready: where it is, what it keeps and how, and what to try next.

import { self } from '../output/own-name.ts'
import type { Paint } from '../output/terminal.ts'
import { atTheSameTime } from '../process/slot-count.ts'

/** Of the built-in extensions the one whose progress is worth watching. */
const showpiece = 'MonteCarloPi'

export interface DevFacts {
  readonly version: string
  readonly url: string
  readonly store: { readonly kind: string; readonly durability: string; readonly folder: string }
  readonly room: string
  readonly pool: {
    readonly slots: number
    readonly ready: boolean
    readonly extensions: readonly string[]
  } | null
  readonly profile: string
  readonly user: string
  /** For the browser of whoever runs it. */
  readonly openLink: string
  readonly loginLink: string
}

export function devBanner(facts: DevFacts, paint: Paint): string {
  const { version, url, store, room, pool, profile, user, openLink, loginLink } = facts
  const rows: readonly (readonly [string, string])[] = [
    ['at', `${paint('cyan', url)}   (what can be asked: ${url}/docs)`],
    ['open', paint('cyan', openLink)],
    ['', 'signs you in, in the browser; works once, within 15 minutes'],
    ['store', `${store.kind} in ${store.folder}`],
    ['', store.durability],
    ['room', room],
    ['pool', poolLine(pool)],
    ['', pool === null ? '' : pool.extensions.join(', ')],
    ['you', `${user}, signed in on this machine (profile ${profile})`],
    ['others', `${self} login '${loginLink}'`],
    ['', `works once, within 15 minutes; whoever uses it is ${user} too, with all rights of an admin`],
  ]
  return [
    '',
    `  ${paint('bold', 'Millrace')} ${version}, for development`,
    '',
    ...rows
      .filter(([, text]) => text !== '')
      .map(([name, text]) => `  ${paint('dim', name.padEnd(8))}${text}`),
    '',
    '  Or, in another terminal:',
    '',
    ...nextCommands(pool).map((command) => `    ${paint('green', command)}`),
    '',
    '  Ctrl-C stops it.',
    '',
  ].join('\n')
}

function poolLine(pool: DevFacts['pool']): string {
  if (pool === null) return 'none (--pool-slots 0)'
  return `${atTheSameTime(pool.slots)}${pool.ready ? '' : ', still starting'}`
}

function nextCommands(pool: DevFacts['pool']): readonly string[] {
  const extensions = pool?.extensions ?? []
  const first = extensions.find((name) => name.endsWith(`/${showpiece}`)) ?? extensions[0]
  const submit = first === undefined ? [] : [`${self} submit ${first.replace(/^.*\//, '')} --follow`]
  return [...submit, `${self} init worker`]
}
