// Names that the profile's server knows, for completion: quickly or not at all, and never with an error.

import type { Session } from '../command.ts'
import { sessionOf } from '../command.ts'
import { readProfiles } from '../connection/profile.ts'
import { roomOf } from '../connection/target.ts'
import { findExtension, nameOf } from '../extension/find-extension.ts'
import { fieldsOf } from '../extension/schema-fields.ts'
import { extensionOf, shortId } from '../job/show-job.ts'
import { plainText } from '../output/plain-text.ts'
import { showAgo } from '../output/time.ts'
import type { Candidate, Typed } from './complete-words.ts'

/** Whoever pressed Tab waits for it; who sits far from their server may want to wait longer. */
const patienceMs = Number(process.env.MILLRACE_COMPLETE_MS) || 1_500

export async function knownNames(kind: string, typed: Typed): Promise<readonly Candidate[]> {
  const source = sources[kind]
  if (!source) return []
  try {
    const session = sessionOf(typed.options)
    const names = await Promise.race([source(session, typed), tooLate()])
    return names.map(({ value, about }) => ({ value: plainText(value), about: plainText(about) }))
  } catch {
    return []
  }
}

type Source = (session: Session, typed: Typed) => Promise<readonly Candidate[]>

const sources: Readonly<Record<string, Source>> = {
  room: async ({ api }) => {
    const { rooms } = await api.ask('GET /api/rooms', { query: { limit: 500 } })
    return rooms.map(({ name, access, standing }) => ({
      value: name,
      about: `${access}, you are ${standing}`,
    }))
  },
  extension: async ({ api, target }) => {
    const params = { room: roomOf(target) }
    const { extensions } = await api.ask('GET /api/rooms/{room}/extensions', { params })
    const all = extensions.map((one) => ({ value: nameOf(one), about: `${one.workers} workers` }))
    return [...all, ...extensions.map((one) => ({ value: one.name, about: one.category }))]
  },
  job: async ({ api, target: { room } }) => {
    const query = { limit: 50 }
    const { jobs } =
      room === null
        ? await api.ask('GET /api/jobs', { query })
        : await api.ask('GET /api/rooms/{room}/jobs', { params: { room }, query })
    const now = Date.now()
    return jobs.flatMap((job) => {
      const about = `${extensionOf(job)} ${job.status} ${showAgo(job.createdAt, now)}`
      return [shortId(job.id), job.id].map((value) => ({ value, about }))
    })
  },
  worker: async ({ api }) => {
    const { workers } = await api.ask('GET /api/workers', {})
    return workers.map(({ id, kind, user }) => ({ value: id, about: `${kind} of ${user}` }))
  },
  user: async ({ api }) => {
    const { users } = await api.ask('GET /api/users', {})
    return users.map(({ user, role }) => ({ value: user, about: role }))
  },
  profile: async () => {
    const { profiles } = readProfiles(process.env)
    return Object.entries(profiles).map(([value, { url }]) => ({ value, about: url }))
  },
  'name=value': async (session, { operands: [named] }) => {
    if (named === undefined) return []
    const { schema } = await findExtension(session, named)
    return fieldsOf(schema).map(({ name, type, about }) => ({ value: `${name}=`, about: about || type }))
  },
}

function tooLate(): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error('too late')), patienceMs).unref()
  })
}
