// Who gets in, for how long, and what signs the tokens.

import { join } from 'node:path'
import * as kinds from './kinds.ts'
import type { Options } from './option.ts'

type AccessOptions = Pick<
  Options,
  | 'trustProxy'
  | 'corsOrigins'
  | 'secretFile'
  | 'secret'
  | 'guests'
  | 'adminUser'
  | 'adminPassword'
  | 'sessionTtlSeconds'
  | 'workerTokenTtlSeconds'
>

const group = 'Who gets in'

const dayS = 86_400

const secretText = kinds.text('32 to 4096 characters', ({ length }) => length >= 32 && length <= 4_096)

export const accessOptions: AccessOptions = {
  trustProxy: {
    group,
    flag: 'trust-proxy',
    env: [{ name: 'MILLRACE_TRUST_PROXY' }],
    kind: kinds.networks,
    default: { value: [] },
    is: "Addresses or networks of proxies in front, whose X-Forwarded-For names the client's address.",
    more: 'Name every proxy, and only proxies: whoever is named here can claim any address and escape its limits.',
    less: 'Not set, all that comes through a proxy counts as one address.',
  },
  corsOrigins: {
    group,
    flag: 'cors-origins',
    env: [{ name: 'MILLRACE_CORS_ORIGINS' }],
    kind: kinds.origins,
    default: { value: [] },
    is: 'Origins of other web pages that may use the server from a browser.',
    more: 'Each named origin can do with a token it is given whatever its user may.',
    less: 'Not set, only pages of the server itself and of its public address can.',
  },
  secretFile: {
    group,
    flag: 'secret-file',
    env: [{ name: 'MILLRACE_SECRET_FILE' }],
    kind: kinds.path,
    default: { derive: ({ dataDir }) => join(dataDir, 'secret'), says: '`secret` in the data directory' },
    is: 'The file with the secret that signs tokens; made at the first start, readable by its owner only.',
    more: 'Replicas that share the file accept the tokens of one another.',
    less: 'A new secret ends every session.',
  },
  secret: {
    group,
    flag: null,
    env: [{ name: 'MILLRACE_SECRET' }],
    kind: kinds.optional(kinds.secret(secretText)),
    default: { value: null },
    is: 'The secret itself, in place of the file.',
    more: 'Set the same for all replicas that share a Redis.',
    less: 'Not set, the file counts.',
  },
  guests: {
    group,
    flag: 'guests',
    env: [{ name: 'MILLRACE_GUESTS' }],
    kind: kinds.onOrOff,
    default: { value: false },
    is: 'Whether people without an account may enter as guests.',
    more: 'On: whoever reaches the server sees the open rooms and submits jobs in them.',
    less: 'Off: everybody needs an account, and tokens of guests end.',
  },
  adminUser: {
    group,
    flag: 'admin-user',
    env: [{ name: 'MILLRACE_ADMIN_USER' }],
    kind: kinds.optional(kinds.userName),
    default: { value: null },
    is: 'The name of the first admin, made while there is none.',
    more: 'Later starts leave the accounts as they are.',
    less: 'Not set, and without guests, nobody gets in until a login code is made.',
  },
  adminPassword: {
    group,
    flag: null,
    env: [{ name: 'MILLRACE_ADMIN_PASSWORD' }],
    kind: kinds.optional(kinds.secret(kinds.password)),
    default: { value: null },
    is: 'The password of the first admin.',
    more: 'A longer one takes longer to guess; there is no default.',
    less: 'It can be taken away again after the first start.',
  },
  sessionTtlSeconds: {
    group,
    flag: 'session-ttl-seconds',
    env: [{ name: 'MILLRACE_SESSION_TTL_SECONDS' }],
    kind: kinds.quantity('s', { min: 60, max: 30 * dayS }),
    default: { value: 12 * 3_600 },
    is: 'How long somebody stays signed in.',
    more: 'More: a stolen token is of use for longer.',
    less: 'Less: people sign in more often.',
  },
  workerTokenTtlSeconds: {
    group,
    flag: 'worker-token-ttl-seconds',
    env: [{ name: 'MILLRACE_WORKER_TOKEN_TTL_SECONDS' }],
    // The bounds of the route that makes such tokens.
    kind: kinds.quantity('s', { min: 60, max: dayS }),
    default: { value: 3_600 },
    is: "How long a worker's token for one room holds, unless its maker says otherwise.",
    more: 'More: a token left on a machine is of use for longer.',
    less: 'Less: a worker that is restarted later needs a new one.',
  },
}
