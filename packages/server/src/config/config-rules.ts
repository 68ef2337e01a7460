// Rules across options: what each allows alone and all of them together do not.

import type { Config, OptionName } from './config.ts'
import { parseRedisUrl } from './redis-address.ts'

export interface ConfigRule {
  /** The rule is asked only when all of these were read without a problem; the first is the one it is told about. */
  readonly about: readonly [OptionName, ...OptionName[]]
  /** What is wrong and what to do, or null. `given` says whether an option was set and not left at its default. */
  broken(config: Config, given: (name: OptionName) => boolean): string | null
}

const needRedis = ['redisCluster', 'redisShards', 'redisPrefix', 'redisReadUrls'] as const

export const configRules: readonly ConfigRule[] = [
  ...needRedis.map(
    (name): ConfigRule => ({
      about: [name, 'redisUrls'],
      broken: ({ redisUrls }, given) =>
        given(name) && redisUrls.length === 0
          ? 'It says something about a Redis, and none is named; add redisUrls or leave it out.'
          : null,
    }),
  ),
  {
    about: ['redisUrls', 'redisCluster'],
    broken: ({ redisUrls, redisCluster }) =>
      redisUrls.length > 1 && !redisCluster
        ? 'Several addresses are the nodes of a cluster; switch redisCluster on or name one address.'
        : null,
  },
  {
    about: ['redisReadUrls', 'redisCluster'],
    broken: ({ redisReadUrls, redisCluster }) =>
      redisReadUrls.length > 0 && redisCluster
        ? 'It cannot be used with a cluster, which spreads rooms and their lists over its nodes; leave one of them out.'
        : null,
  },
  {
    about: ['redisReadUrls'],
    broken: ({ redisReadUrls }) =>
      redisReadUrls.some((url) => hasHalfACredential(url))
        ? 'An address names a user without a password; half a credential is refused.'
        : null,
  },
  {
    about: ['redisUrls'],
    broken: ({ redisUrls }) =>
      differ(redisUrls, 'tls')
        ? 'Some addresses are redis:// and some rediss://; either all lines are encrypted (TLS) or none.'
        : null,
  },
  {
    about: ['redisUrls'],
    broken: ({ redisUrls }) =>
      differ(redisUrls, 'username') || differ(redisUrls, 'password')
        ? 'The addresses name different users or passwords; the nodes of a cluster have the same.'
        : null,
  },
  {
    about: ['redisUrls'],
    broken: ({ redisUrls }) =>
      redisUrls.some((url) => hasHalfACredential(url))
        ? 'An address names a user without a password; half a credential is refused.'
        : null,
  },
  {
    about: ['adminPassword', 'adminUser'],
    broken: ({ adminUser, adminPassword }) =>
      adminPassword !== null && adminUser === null
        ? 'There is a password and no adminUser; half a credential is refused.'
        : null,
  },
  {
    about: ['adminUser', 'adminPassword'],
    broken: ({ adminUser, adminPassword }) =>
      adminUser !== null && adminPassword === null
        ? 'There is a name and no adminPassword; half a credential is refused, and there is no default password.'
        : null,
  },
  {
    about: ['secret', 'secretFile'],
    broken: ({ secret }, given) =>
      secret !== null && given('secretFile')
        ? 'Both the secret and a file with it are given, and they may differ; leave one out.'
        : null,
  },
  {
    about: ['bulkMaxBytes', 'jobDataMaxBytes'],
    broken: ({ bulkMaxBytes, jobDataMaxBytes }) =>
      bulkMaxBytes < jobDataMaxBytes
        ? `It has to be at least jobDataMaxBytes, which is ${jobDataMaxBytes}: a bulk of one job has to fit.`
        : null,
  },
]

function differ(urls: readonly string[], part: 'tls' | 'username' | 'password'): boolean {
  return new Set(urls.map((url) => parseRedisUrl(url)?.[part])).size > 1
}

function hasHalfACredential(url: string): boolean {
  const parsed = parseRedisUrl(url)
  return parsed !== undefined && parsed.username !== '' && parsed.password === ''
}
