// What everybody is answered on every route. A new route gets a line at the end; if no door fits it, it gets a door.

import { type Door, door } from './door.ts'
import type { RouteName } from './route-requests.ts'

const anyone = door(`
  nobody       ok
  forger       ok
  latecomer    ok
  guest        ok
  user         ok
  member       ok
  viewer       ok
  owner        ok
  elsewhere    ok
  admin        ok
  worker       ok
  strayWorker  ok
  pool         ok
`)

const anyToken = door(`
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

/** The one question that a pool may ask, beside the doors of workers. */
const whoever = door(`
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
  pool         ok
`)

const signedIn = door(`
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

const adminOnly = door(`
  nobody       credential_missing
  forger       credential_invalid
  latecomer    credential_expired
  guest        admin_required
  user         admin_required
  member       admin_required
  viewer       admin_required
  owner        admin_required
  elsewhere    admin_required
  admin        ok
  worker       session_required
  strayWorker  session_required
  pool         pool_forbidden
`)

/** The account is the viewer's, whose change of nothing is allowed: a password would be, a role would not. */
const othersAccount = door(`
  nobody       credential_missing
  forger       credential_invalid
  latecomer    credential_expired
  guest        user_forbidden
  user         user_forbidden
  member       user_forbidden
  viewer       user_forbidden
  owner        user_forbidden
  elsewhere    user_forbidden
  admin        ok
  worker       session_required
  strayWorker  session_required
  pool         pool_forbidden
`)

const makeRoom = door(`
  nobody       credential_missing
  forger       credential_invalid
  latecomer    credential_expired
  guest        room_guest_cannot_own
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

/** The member made the token, for a room that the owner manages. */
const ownToken = door(`
  nobody       credential_missing
  forger       credential_invalid
  latecomer    credential_expired
  guest        token_not_found
  user         token_not_found
  member       ok
  viewer       token_not_found
  owner        ok
  elsewhere    token_not_found
  admin        ok
  worker       session_required
  strayWorker  session_required
  pool         pool_forbidden
`)

//                 the open room         the private room
const readRoom = door(`
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

const readRoomSignedIn = door(`
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
  worker       session_required      session_required
  strayWorker  session_required      session_required
  pool         pool_forbidden        pool_forbidden
`)

const submitInRoom = door(`
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

/** A pool serves nothing that belongs to one room; this worker says that it is of another kind. */
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

const submitSignedIn = door(`
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
  worker       session_required      session_required
  strayWorker  session_required      session_required
  pool         pool_forbidden        pool_forbidden
`)

const manageRoom = door(`
  nobody       credential_missing    credential_missing
  forger       credential_invalid    credential_invalid
  latecomer    credential_expired    credential_expired
  guest        room_forbidden        room_not_found
  user         room_forbidden        room_not_found
  member       room_forbidden        room_forbidden
  viewer       room_forbidden        room_forbidden
  owner        ok                    ok
  elsewhere    room_forbidden        room_not_found
  admin        ok                    ok
  worker       session_required      session_required
  strayWorker  session_required      session_required
  pool         pool_forbidden        pool_forbidden
`)

/** The member registered the extension first and owns it. */
const admitToExtension = door(`
  nobody       credential_missing    credential_missing
  forger       credential_invalid    credential_invalid
  latecomer    credential_expired    credential_expired
  guest        extension_forbidden   room_not_found
  user         extension_forbidden   room_not_found
  member       ok                    ok
  viewer       extension_forbidden   extension_forbidden
  owner        ok                    ok
  elsewhere    extension_forbidden   room_not_found
  admin        ok                    ok
  worker       session_required      session_required
  strayWorker  session_required      session_required
  pool         pool_forbidden        pool_forbidden
`)

/** The attempt is with a worker of the member. */
const reportAttempt = door(`
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

/** The worker is the member's. Others are told what they would be told of a worker that there is not. */
const ownWorker = door(`
  nobody       credential_missing
  forger       credential_invalid
  latecomer    credential_expired
  guest        worker_lost
  user         worker_lost
  member       ok
  viewer       worker_lost
  owner        worker_lost
  elsewhere    worker_lost
  admin        worker_lost
  worker       ok
  strayWorker  worker_lost
  pool         worker_lost
`)

const seeWorker = door(`
  nobody       credential_missing    credential_missing
  forger       credential_invalid    credential_invalid
  latecomer    credential_expired    credential_expired
  guest        ok                    worker_not_found
  user         ok                    worker_not_found
  member       ok                    ok
  viewer       ok                    ok
  owner        ok                    ok
  elsewhere    ok                    worker_not_found
  admin        ok                    ok
  worker       session_required      session_required
  strayWorker  session_required      session_required
  pool         pool_forbidden        pool_forbidden
`)

/** The worker is the member's; others who may see it may not decide about it. */
const decideOnWorker = door(`
  nobody       credential_missing    credential_missing
  forger       credential_invalid    credential_invalid
  latecomer    credential_expired    credential_expired
  guest        worker_not_yours      worker_not_found
  user         worker_not_yours      worker_not_found
  member       ok                    ok
  viewer       worker_not_yours      worker_not_yours
  owner        worker_not_yours      worker_not_yours
  elsewhere    worker_not_yours      worker_not_found
  admin        ok                    ok
  worker       session_required      session_required
  strayWorker  session_required      session_required
  pool         pool_forbidden        pool_forbidden
`)

export const expectedRoutes: Readonly<Record<RouteName, Door>> = {
  login: anyone,
  enterAsGuest: anyone,
  me: whoever,
  logout: anyToken,
  listUsers: adminOnly,
  createUser: adminOnly,
  changeUser: othersAccount,
  removeUser: adminOnly,
  createToken: submitSignedIn,
  listTokens: signedIn,
  listRoomTokens: manageRoom,
  revokeToken: ownToken,

  listRooms: signedIn,
  createRoom: makeRoom,
  getRoom: readRoom,
  changeRoom: manageRoom,
  setMember: manageRoom,
  removeMember: manageRoom,

  listExtensions: readRoom,
  getExtension: readRoom,
  extensionStats: readRoom,
  extensionsOverview: signedIn,
  getValues: readRoomSignedIn,
  submitToExtension: submitInRoom,
  submitManyToExtension: submitInRoom,
  pauseExtension: admitToExtension,
  resumeExtension: admitToExtension,
  resetBreaker: admitToExtension,
  admitUser: admitToExtension,
  dismissUser: admitToExtension,

  submitJob: submitInRoom,
  listRoomJobs: readRoom,
  listAllJobs: signedIn,
  getJob: readRoom,
  whyJob: readRoom,
  jobEvents: readRoom,
  jobLogs: readRoom,
  cancelJob: manageRoom,
  retryJob: submitInRoom,
  listDeadLetters: readRoom,
  redriveDeadLetters: submitSignedIn,
  cancelJobs: submitSignedIn,
  retryJobs: submitSignedIn,
  reportStatus: reportAttempt,
  nextJob: ownWorker,

  registerWorker: serveRoom,
  beatWorker: ownWorker,
  listWorkers: signedIn,
  getWorker: seeWorker,
  drainWorker: decideOnWorker,
  undrainWorker: decideOnWorker,
  disconnectWorker: decideOnWorker,

  listLocks: readRoom,
  acquireLock: submitInRoom,
  refreshLock: submitInRoom,
  releaseLock: submitInRoom,
  messageLock: submitInRoom,

  listAudit: adminOnly,
  listRoomAudit: manageRoom,

  live: anyone,
  ready: anyone,
  metrics: anyone,
  openapi: anyone,

  getPlacement: signedIn,
  placementHistory: signedIn,
  whatIfPlacement: readRoomSignedIn,
  listErrors: signedIn,
  getSeries: signedIn,
  getOverview: signedIn,
  getPresence: readRoom,
  recentInputs: readRoomSignedIn,
  getConfig: adminOnly,
}
