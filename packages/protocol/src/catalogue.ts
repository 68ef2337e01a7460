// Everything that can be said, by name. The server registers from it, the docs are written from it, and the tests walk
// it, so nothing exists on the wire that does not stand here.

import * as audit from './http/audit.ts'
import * as auth from './http/auth.ts'
import * as error from './http/error.ts'
import * as extension from './http/extension.ts'
import * as job from './http/job.ts'
import * as lock from './http/lock.ts'
import * as manyJobs from './http/many-jobs.ts'
import * as overview from './http/overview.ts'
import * as placement from './http/placement.ts'
import * as presence from './http/presence.ts'
import * as room from './http/room.ts'
import * as system from './http/system.ts'
import * as worker from './http/worker.ts'
import * as toClient from './socket/to-client.ts'
import * as toServer from './socket/to-server.ts'

export const routes = {
  login: auth.login,
  enterAsGuest: auth.enterAsGuest,
  me: auth.me,
  logout: auth.logout,
  listUsers: auth.listUsers,
  createUser: auth.createUser,
  changeUser: auth.changeUser,
  removeUser: auth.removeUser,
  createToken: auth.createToken,
  listTokens: auth.listTokens,
  listRoomTokens: auth.listRoomTokens,
  revokeToken: auth.revokeToken,
  listRooms: room.listRooms,
  createRoom: room.createRoom,
  getRoom: room.getRoom,
  changeRoom: room.changeRoom,
  setMember: room.setMember,
  removeMember: room.removeMember,
  listExtensions: extension.listExtensions,
  getExtension: extension.getExtension,
  extensionStats: extension.extensionStats,
  extensionsOverview: extension.extensionsOverview,
  getValues: extension.getValues,
  submitToExtension: extension.submitToExtension,
  submitManyToExtension: extension.submitManyToExtension,
  pauseExtension: extension.pauseExtension,
  resumeExtension: extension.resumeExtension,
  resetBreaker: extension.resetBreaker,
  admitUser: extension.admitUser,
  dismissUser: extension.dismissUser,
  submitJob: job.submitJob,
  listRoomJobs: job.listRoomJobs,
  listAllJobs: job.listAllJobs,
  getJob: job.getJob,
  whyJob: job.whyJob,
  jobEvents: job.jobEvents,
  jobLogs: job.jobLogs,
  cancelJob: job.cancelJob,
  retryJob: job.retryJob,
  listDeadLetters: manyJobs.listDeadLetters,
  redriveDeadLetters: manyJobs.redriveDeadLetters,
  cancelJobs: manyJobs.cancelJobs,
  retryJobs: manyJobs.retryJobs,
  reportStatus: job.reportStatus,
  nextJob: job.nextJob,
  registerWorker: worker.registerWorker,
  beatWorker: worker.beatWorker,
  listWorkers: worker.listWorkers,
  getWorker: worker.getWorker,
  drainWorker: worker.drainWorker,
  undrainWorker: worker.undrainWorker,
  disconnectWorker: worker.disconnectWorker,
  listLocks: lock.listLocks,
  acquireLock: lock.acquireLock,
  refreshLock: lock.refreshLock,
  releaseLock: lock.releaseLock,
  messageLock: lock.messageLock,
  listAudit: audit.listAudit,
  listRoomAudit: audit.listRoomAudit,
  live: system.live,
  ready: system.ready,
  metrics: system.metrics,
  openapi: system.openapi,
  getPlacement: placement.getPlacement,
  placementHistory: placement.placementHistory,
  whatIfPlacement: placement.whatIfPlacement,
  listErrors: error.listErrors,
  getSeries: overview.getSeries,
  getOverview: overview.getOverview,
  getPresence: presence.getPresence,
  recentInputs: extension.recentInputs,
  getConfig: system.getConfig,
}

export const serverEvents = {
  roomJoin: toServer.roomJoin,
  roomLeave: toServer.roomLeave,
  systemJoin: toServer.systemJoin,
  extensionRegister: toServer.extensionRegister,
  extensionUnregister: toServer.extensionUnregister,
  jobSubmit: toServer.jobSubmit,
  jobStarted: toServer.jobStarted,
  jobRejected: toServer.jobRejected,
  jobProgress: toServer.jobProgress,
  jobLog: toServer.jobLog,
  jobCompleted: toServer.jobCompleted,
  jobFailed: toServer.jobFailed,
  jobStopped: toServer.jobStopped,
  lockAcquire: toServer.lockAcquire,
  lockRefresh: toServer.lockRefresh,
  lockRelease: toServer.lockRelease,
  lockMessage: toServer.lockMessage,
}

export const clientEvents = {
  jobAssigned: toClient.jobAssigned,
  jobCancel: toClient.jobCancel,
  workerBeat: toClient.workerBeat,
  jobStateChanged: toClient.jobStateChanged,
  jobProgressed: toClient.jobProgressed,
  jobLogged: toClient.jobLogged,
  schemaInvalidated: toClient.schemaInvalidated,
  workerStateChanged: toClient.workerStateChanged,
  lockChanged: toClient.lockChanged,
  roomChanged: toClient.roomChanged,
  roomsChanged: toClient.roomsChanged,
  auditAdded: toClient.auditAdded,
  valuesChanged: toClient.valuesChanged,
  feedReset: toClient.feedReset,
  presenceChanged: toClient.presenceChanged,
}
