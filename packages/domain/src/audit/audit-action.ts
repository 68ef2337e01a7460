// What people do that the audit trail keeps: decisions about rooms, accounts, credentials, extensions, workers and jobs.
// Submits are not among them (a job carries its submitter), nor is what workers report.

export const auditActions = [
  'room.create',
  'room.change',
  'member.set',
  'member.remove',
  'user.create',
  'user.change',
  'user.remove',
  'sign_in',
  'sign_out',
  'token.create',
  'token.revoke',
  'extension.pause',
  'extension.resume',
  'extension.admit',
  'extension.dismiss',
  'extension.reset_breaker',
  'worker.drain',
  'worker.undrain',
  'worker.disconnect',
  'job.cancel',
  'job.retry',
  'jobs.cancel',
  'jobs.retry',
  'jobs.redrive',
] as const

export type AuditAction = (typeof auditActions)[number]
