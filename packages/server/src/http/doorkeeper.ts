// Looks at the credential of a request before anything else does.

import type { IncomingHttpHeaders } from 'node:http'
import type { Identity, Refusal } from '@millrace/domain'
import type { Access } from '@millrace/protocol'
import type { Credentials } from '../credential/credentials.ts'
import { refusedHere } from '../refusal/problem-of.ts'

export class Doorkeeper {
  readonly #credentials: Credentials

  constructor(credentials: Credentials) {
    this.#credentials = credentials
  }

  async admit(access: Access, { authorization }: IncomingHttpHeaders): Promise<Identity | Refusal> {
    if (authorization === undefined) return refusedHere('credential_missing')
    const [, token] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
    if (token === undefined) return refusedHere('credential_invalid')
    const who = await this.#credentials.verify(token)
    if ('refused' in who) return who
    if (access === 'worker') return who
    if (who.role === 'pool') return refusedHere('pool_forbidden')
    if (access === 'token') return who
    if (who.onlyRoom !== undefined) return refusedHere('session_required')
    if (access === 'admin' && who.role !== 'admin') return refusedHere('admin_required')
    return who
  }
}
