// Does the credential hold, and does it reach the room that is meant?

import type { Session } from '../command.ts'
import { renewAdvice, signInAdvice } from '../connection/sign-in-advice.ts'
import { self } from '../output/own-name.ts'
import { showUntil } from '../output/time.ts'
import { type Check, lookAt, ok, skip, warn } from './check.ts'

/** Less is too little for a long job. */
const soonMs = 10 * 60_000

export async function checkCaller({ api, target }: Session): Promise<readonly Check[]> {
  const credential = await lookAt('credential', async () => {
    if (target.token === null) return warn('none, so nothing more can be looked at', signInAdvice(target))
    const { user, role, room, expiresAt } = await api.ask('GET /api/auth/me', {})
    const who = `${user} (${role}${room === null ? '' : `, room ${room} only`})`
    const found = `${who}, from ${target.tokenFrom}, ends ${showUntil(expiresAt, Date.now())}`
    return expiresAt - Date.now() < soonMs ? warn(found, renewAdvice(target)) : ok(found)
  })
  if (credential.verdict === 'fail' || target.token === null) return [credential]
  return [credential, await checkRoom({ api, target })]
}

function checkRoom({ api, target }: Pick<Session, 'api' | 'target'>): Promise<Check> {
  return lookAt('room', async () => {
    const { room } = target
    if (room === null) return skip('none is meant; every command takes --room')
    const { standing, access } = await api.ask('GET /api/rooms/{room}', { params: { room } })
    const { extensions } = await api.ask('GET /api/rooms/{room}/extensions', { params: { room } })
    const found = `${room} (${access}), you are ${standing}; ${extensions.length} extension${extensions.length === 1 ? '' : 's'}`
    if (standing === 'viewer') return warn(`${found}. A viewer cannot submit.`)
    return extensions.length > 0 ? ok(found) : warn(found, `Start a worker: ${self} worker <file>`)
  })
}
