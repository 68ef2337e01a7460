// The language on the wire: one schema for each route and each event.

export type {
  Access,
  BodyOf,
  Method,
  ParamsOf,
  QueryOf,
  ReplyOf,
  Route,
} from './route.ts'
export { type JobStatus, Problem, type Scope, type UserRole, type WorkerKind } from './shapes.ts'
export {
  type AnswerOf,
  type PayloadOf,
  Refused,
  type ToClientEvent,
  type ToServerEvent,
} from './socket-event.ts'

// views and bodies by name

export { clientEvents, routes, serverEvents } from './catalogue.ts'
export type { AuditPage, AuditQuery, AuditView } from './http/audit.ts'
export type { KeptToken, Session, UserView, WorkerToken } from './http/auth.ts'
export type { ErrorGroup } from './http/error.ts'
export type { ExtensionDetail, ExtensionStats, ExtensionView } from './http/extension.ts'
export type {
  AssignedJob,
  JobError,
  JobSummary,
  JobsPage,
  JobsQuery,
  JobView,
  LogLine,
  SubmitOptions,
  Submitted,
  WhyView,
} from './http/job.ts'
export type { LockView } from './http/lock.ts'
export type { JobsChoice, ManyDone } from './http/many-jobs.ts'
export type { Overview, SeriesPoint, Trouble } from './http/overview.ts'
export type {
  PassSummary,
  PlacementEdge,
  PlacementNode,
  PlacementView,
  WaitingClass,
  WhatIfView,
} from './http/placement.ts'
export type { PresenceView } from './http/presence.ts'
export type { RoomView } from './http/room.ts'
export type {
  AttemptRef,
  Beat,
  ExtensionOffer,
  RegisteredView,
  Registration,
  WorkerView,
} from './http/worker.ts'
export type { JobStateChanged } from './socket/to-client.ts'
export type { ReportAnswer } from './socket/to-server.ts'
