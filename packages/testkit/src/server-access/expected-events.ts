// What everybody is answered on every event. Who has no valid credential is refused at the connection already.

import { type Door, door } from './door.ts'
import type { EventName } from './event-messages.ts'

//                 the open room         the private room
const joinRoom = door(`
  nobody       credential_missing    credential_missing
  forger       credential_invalid    credential_invalid
  latecomer    credential_expired    credential_expired
  guest        ok                    room_not_found
  user         ok                    room_not_found
  member       ok                    ok
  viewer       ok                    ok
  owner        ok                    ok
  elsewhere    ok                    room_not_found
  admin        ok                    ok
  worker       ok                    ok
  strayWorker  room_not_found        room_not_found
  pool         pool_forbidden        pool_forbidden
`)

/** Leaving what one is not in changes nothing, whether there is such a room or not. */
const leaveRoom = door(`
  nobody       credential_missing
  forger       credential_invalid
  latecomer    credential_expired
  guest        ok
  user         ok
  member       ok
  viewer       ok
  owner        ok
  elsewhere    ok
  admin        ok
  worker       ok
  strayWorker  ok
  pool         pool_forbidden
`)

const joinSystem = door(`
  nobody       credential_missing
  forger       credential_invalid
  latecomer    credential_expired
  guest        ok
  user         ok
  member       ok
  viewer       ok
  owner        ok
  elsewhere    ok
  admin        ok
  worker       session_required
  strayWorker  session_required
  pool         pool_forbidden
`)

const serveRoom = door(`
  nobody       credential_missing    credential_missing
  forger       credential_invalid    credential_invalid
  latecomer    credential_expired    credential_expired
  guest        ok                    room_not_found
  user         ok                    room_not_found
  member       ok                    ok
  viewer       room_forbidden        room_forbidden
  owner        ok                    ok
  elsewhere    ok                    room_not_found
  admin        ok                    ok
  worker       ok                    ok
  strayWorker  room_not_found        room_not_found
  pool         worker_kind_forbidden worker_kind_forbidden
`)

/** Whoever could not register has no worker on this connection. */
const serveNoLonger = door(`
  nobody       credential_missing    credential_missing
  forger       credential_invalid    credential_invalid
  latecomer    credential_expired    credential_expired
  guest        ok                    worker_lost
  user         ok                    worker_lost
  member       ok                    ok
  viewer       worker_lost           worker_lost
  owner        ok                    ok
  elsewhere    ok                    worker_lost
  admin        ok                    ok
  worker       ok                    ok
  strayWorker  worker_lost           worker_lost
  pool         worker_lost           worker_lost
`)

const submit = door(`
  nobody       credential_missing    credential_missing
  forger       credential_invalid    credential_invalid
  latecomer    credential_expired    credential_expired
  guest        ok                    room_not_found
  user         ok                    room_not_found
  member       ok                    ok
  viewer       room_forbidden        room_forbidden
  owner        ok                    ok
  elsewhere    ok                    room_not_found
  admin        ok                    ok
  worker       ok                    ok
  strayWorker  room_not_found        room_not_found
  pool         pool_forbidden        pool_forbidden
`)

/** The attempt is with a worker of the member. */
const report = door(`
  nobody       credential_missing    credential_missing
  forger       credential_invalid    credential_invalid
  latecomer    credential_expired    credential_expired
  guest        worker_not_yours      room_not_found
  user         worker_not_yours      room_not_found
  member       ok                    ok
  viewer       worker_not_yours      worker_not_yours
  owner        worker_not_yours      worker_not_yours
  elsewhere    worker_not_yours      room_not_found
  admin        worker_not_yours      worker_not_yours
  worker       ok                    ok
  strayWorker  room_not_found        room_not_found
  pool         worker_not_yours      worker_not_yours
`)

/** A pool holds locks on behalf of its attempts only. */
const holdLock = door(`
  nobody       credential_missing    credential_missing
  forger       credential_invalid    credential_invalid
  latecomer    credential_expired    credential_expired
  guest        ok                    room_not_found
  user         ok                    room_not_found
  member       ok                    ok
  viewer       room_forbidden        room_forbidden
  owner        ok                    ok
  elsewhere    ok                    room_not_found
  admin        ok                    ok
  worker       ok                    ok
  strayWorker  room_not_found        room_not_found
  pool         room_not_found        room_not_found
`)

export const expectedEvents: Readonly<Record<EventName, Door>> = {
  roomJoin: joinRoom,
  roomLeave: leaveRoom,
  systemJoin: joinSystem,
  extensionRegister: serveRoom,
  extensionUnregister: serveNoLonger,
  jobSubmit: submit,
  jobStarted: report,
  jobRejected: report,
  jobProgress: report,
  jobLog: report,
  jobCompleted: report,
  jobFailed: report,
  jobStopped: report,
  lockAcquire: holdLock,
  lockRefresh: holdLock,
  lockRelease: holdLock,
  lockMessage: holdLock,
}
