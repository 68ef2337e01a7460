// Under which names the server answers, and whose pages may ask it. A page elsewhere can make a browser send requests to
// an address on its own machine or network: the Host header gives away a name that was bent to it, and the Origin header
// the page. Credentials are bearer tokens and never cookies, so no page has one that it was not given.

import type { Refusal } from '@millrace/domain'
import { refusedHere } from '../refusal/problem-of.ts'

export interface SiteSetup {
  /** Whether it listens where only programs of this machine reach it. */
  readonly onLoopback: boolean
  readonly publicUrl: string | null
  readonly corsOrigins: readonly string[]
}

const changesNothing = new Set<string | undefined>(['GET', 'HEAD', 'OPTIONS'])

export class Site {
  readonly #onLoopback: boolean
  readonly #public: URL | null
  readonly #origins: ReadonlySet<string>

  constructor({ onLoopback, publicUrl, corsOrigins }: SiteSetup) {
    this.#onLoopback = onLoopback
    this.#public = publicUrl === null ? null : new URL(publicUrl)
    this.#origins = new Set(corsOrigins)
  }

  /** Every browser names the host; a program that does not is none. */
  hostRefusal(host: string | undefined): Refusal | null {
    if (!this.#onLoopback || host === undefined) return null
    const name = hostName(host)
    if (isLoopbackName(name) || name === this.#public?.hostname) return null
    const message = `This server listens on a loopback address and does not answer as ${JSON.stringify(name)}. If people reach it by that name, say so: --public-url.`
    return refusedHere('host_unknown', message)
  }

  originRefusal(
    method: string | undefined,
    origin: string | undefined,
    host: string | undefined,
  ): Refusal | null {
    if (origin === undefined || changesNothing.has(method)) return null
    return this.#isOwn(origin, host) || this.isNamed(origin) ? null : forbidden(origin)
  }

  /** A socket carries whatever its page likes, so its opening counts as a change. */
  socketRefusal(origin: string | undefined, host: string | undefined): Refusal | null {
    return this.originRefusal(undefined, origin, host)
  }

  /** Whether answers are open to this origin. */
  isNamed(origin: string): boolean {
    return this.#origins.has(origin)
  }

  /** The scheme is not compared with our own: a proxy in front may speak TLS. */
  #isOwn(origin: string, host: string | undefined): boolean {
    const url = URL.parse(origin)
    if (url === null || !/^https?:$/.test(url.protocol)) return false
    return url.origin === this.#public?.origin || url.host === withoutDefaultPort(host, url.protocol)
  }
}

function forbidden(origin: string): Refusal {
  const message = `Pages of ${JSON.stringify(origin.slice(0, 200))} may not do this; the server can be told that they may: --cors-origins.`
  return refusedHere('origin_forbidden', message)
}

function withoutDefaultPort(host: string | undefined, scheme: string): string | undefined {
  return host?.toLowerCase().replace(scheme === 'https:' ? /:443$/ : /:80$/, '')
}

function hostName(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/(?<=.)\.$/, '')
    .slice(0, 300)
}

function isLoopbackName(name: string): boolean {
  return name === '[::1]' || /^(?:.+\.)?localhost$/.test(name) || /^127(?:\.\d{1,3}){3}$/.test(name)
}
