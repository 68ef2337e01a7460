// A refusal is an expected "no": a value with a stable code, never thrown. This catalogue is the only list of codes;
// the HTTP status beside each is what the edge answers. Faults (broken disk, lost connection) are not refusals.

export interface RefusalEntry {
  readonly status: number
  readonly meaning: string
}

export const refusalCatalogue = {
  // job
  job_not_found: { status: 404, meaning: 'There is no such job in this room.' },
  job_exists: { status: 409, meaning: 'Another job has this id already.' },
  job_ended: { status: 409, meaning: 'The job has reached a terminal state; nothing leaves it.' },
  job_not_assigned: { status: 409, meaning: 'The job is not assigned, so it cannot be started or rejected.' },
  job_not_running: { status: 409, meaning: 'The job is not running.' },
  job_not_pending: { status: 409, meaning: 'The job is not pending, so it cannot be assigned.' },
  job_not_ended: { status: 409, meaning: 'The job has not ended yet, so it cannot be redriven or removed.' },
  job_not_due: { status: 409, meaning: 'The instant this depends on has not come yet.' },
  attempt_superseded: {
    status: 409,
    meaning: 'The token is not that of the current attempt; nothing was changed.',
  },
  job_not_addressed: { status: 409, meaning: 'The task is addressed to another worker.' },
  job_redriven: { status: 409, meaning: 'The job was redriven already.' },
  job_not_dead_letter: { status: 409, meaning: 'The job is no dead letter: it has not failed for good.' },
  cancel_not_requested: { status: 409, meaning: 'Nobody has asked to cancel this job.' },
  progress_invalid: { status: 422, meaning: 'The fraction of a progress has to be a finite number.' },
  priority_invalid: { status: 422, meaning: 'A priority has to be a whole number from 0 to 10.' },
  submission_out_of_range: { status: 422, meaning: 'A value of the submission lies outside its limits.' },
  submission_overtaken: {
    status: 409,
    meaning: 'What the submission was validated against has changed meanwhile; nothing was submitted.',
  },
  queue_full: {
    status: 429,
    meaning: 'As many jobs wait in this room as may; try again when some have gone.',
  },
  idempotency_mismatch: { status: 422, meaning: 'The idempotency key was used before with another body.' },
  // room
  room_not_found: { status: 404, meaning: 'There is no such room.' },
  room_forbidden: { status: 403, meaning: 'Your standing in this room does not allow this.' },
  room_name_invalid: { status: 422, meaning: 'The name of a room breaks the rules for names.' },
  room_name_reserved: { status: 422, meaning: 'This word is reserved and cannot name a room.' },
  room_name_taken: { status: 409, meaning: 'A room of this name exists already.' },
  room_last_owner: { status: 409, meaning: 'A room keeps at least one owner.' },
  room_guest_cannot_own: { status: 403, meaning: 'A guest cannot create or own a room.' },
  room_member_not_found: { status: 404, meaning: 'This user is not a member of the room.' },
  room_members_full: { status: 409, meaning: 'The room has as many members as a room may have.' },
  room_setting_out_of_range: { status: 422, meaning: 'A setting of the room lies outside its limits.' },
  // lock
  locked: { status: 423, meaning: 'Another session holds the lock.' },
  lock_not_held: { status: 409, meaning: 'Nobody holds this lock; it was released or has expired.' },
  lock_ttl_out_of_range: { status: 422, meaning: 'The time to live of a lock lies outside its limits.' },
  lock_message_too_long: { status: 422, meaning: 'The message of a lock is too long.' },
  lock_target_invalid: { status: 422, meaning: 'The target of a lock breaks the rules for names.' },
  lock_targets_full: { status: 409, meaning: 'The room has as many lock targets as a room may have.' },
  fencing_stale: { status: 409, meaning: 'The fencing number is not that of the lock as it is held now.' },
  // breaker
  breaker_open: { status: 409, meaning: 'The breaker is open; nothing of this extension starts for now.' },
  breaker_closed: { status: 409, meaning: 'The breaker is closed; there is nothing to probe.' },
  breaker_probing: { status: 409, meaning: 'One probe is under way; its outcome decides.' },
  // worker
  worker_not_found: { status: 404, meaning: 'There is no such worker.' },
  worker_id_invalid: { status: 422, meaning: 'The id of a worker breaks the rules for ids.' },
  worker_not_yours: { status: 403, meaning: 'This worker id belongs to the credential of another user.' },
  worker_kind_fixed: { status: 409, meaning: 'A live worker cannot change its kind.' },
  worker_kind_forbidden: { status: 403, meaning: 'This role may not run a worker of this kind.' },
  worker_lost: { status: 409, meaning: 'The worker was declared lost; it has to register again.' },
  worker_full: { status: 409, meaning: 'The worker does not have what the job needs.' },
  resources_invalid: { status: 422, meaning: 'A resource is not a number within its limits.' },
  resources_not_taken: {
    status: 409,
    meaning: 'More was given back than had been taken; nothing was changed.',
  },
  lease_not_due: { status: 409, meaning: 'The lease has not run out yet.' },
  // extension
  extension_not_found: { status: 404, meaning: 'There is no such extension in reach of this room.' },
  extension_name_invalid: {
    status: 422,
    meaning: 'The name or category of an extension breaks the rules for names.',
  },
  extension_name_reserved: { status: 409, meaning: 'The name belongs to a built-in extension.' },
  extension_forbidden: { status: 403, meaning: 'You may not serve or change this extension.' },
  extension_schema_conflict: {
    status: 409,
    meaning: 'Live workers serve this extension with another schema.',
  },
  extension_versions_full: {
    status: 409,
    meaning: 'Too many versions of this extension still have unfinished jobs.',
  },
  extension_admissions_full: { status: 409, meaning: 'The extension has admitted as many users as it may.' },
  not_json: { status: 422, meaning: 'The value cannot be written as JSON.' },
  json_too_large: { status: 413, meaning: 'The value is larger than its limit.' },
  json_too_deep: { status: 422, meaning: 'The value is nested deeper than its limit.' },
  schema_not_object: { status: 422, meaning: 'A schema has to be a JSON object.' },
  schema_remote_ref: { status: 422, meaning: 'A schema may refer only to places inside itself.' },
  log_too_fast: { status: 422, meaning: 'Lines came faster than they can be kept, and these were dropped.' },
  rate_limited: { status: 429, meaning: 'Too many in too short a time.' },
  policy_out_of_range: { status: 422, meaning: 'A value of a policy lies outside its limits.' },
  policy_invalid: { status: 422, meaning: 'A field of a policy is unknown or of the wrong kind.' },
  // validation
  schema_invalid: { status: 422, meaning: 'The schema is not a JSON Schema that can be compiled.' },
  schema_pattern_unsupported: {
    status: 422,
    meaning: 'A pattern of the schema cannot be matched in linear time.',
  },
  schema_too_costly: { status: 422, meaning: 'The schema takes too long to compile, or never ends.' },
  data_invalid: { status: 422, meaning: 'The data does not fit the schema.' },
  validation_too_slow: { status: 422, meaning: 'The data takes too long to validate.' },
  validation_busy: { status: 503, meaning: 'Too many validations are waiting; try again soon.' },
  // user
  user_not_found: { status: 404, meaning: 'There is no such user.' },
  user_forbidden: { status: 403, meaning: 'Your role does not allow this change of accounts.' },
  user_name_invalid: { status: 422, meaning: 'The name of a user breaks the rules for names.' },
  user_name_reserved: { status: 422, meaning: 'This name is reserved and cannot be an account.' },
  user_name_taken: { status: 409, meaning: 'A user of this name exists already.' },
  user_last_admin: { status: 409, meaning: 'The last admin can be neither removed nor demoted.' },
  password_invalid: { status: 422, meaning: 'The password is shorter or longer than a password may be.' },
  // credential
  credentials_wrong: { status: 401, meaning: 'Name and password, or the login code, do not fit.' },
  credential_missing: { status: 401, meaning: 'This takes a credential, and there was none.' },
  credential_invalid: { status: 401, meaning: 'The credential is not one of ours.' },
  credential_expired: { status: 401, meaning: 'The credential has expired.' },
  credential_revoked: { status: 401, meaning: 'The credential was revoked or voided.' },
  guests_off: { status: 403, meaning: 'Guests are not admitted here.' },
  pool_forbidden: { status: 403, meaning: "A pool's token runs a pool and opens nothing else." },
  token_not_found: { status: 404, meaning: 'There is no such token.' },
  // the wire
  request_invalid: { status: 400, meaning: 'The request does not have the form that this route takes.' },
  body_too_large: { status: 413, meaning: 'The body of the request is larger than its limit.' },
  media_type_unsupported: { status: 415, meaning: 'The body has to be JSON.' },
  route_not_found: { status: 404, meaning: 'There is no such route.' },
  session_required: { status: 403, meaning: 'A token for one room does not open this; sign in.' },
  admin_required: { status: 403, meaning: 'This takes role admin.' },
  connections_full: { status: 503, meaning: 'The server has as many connections as it may.' },
  connections_yours_full: {
    status: 429,
    meaning: 'Your address or your credential has as many connections as it may.',
  },
  host_unknown: { status: 421, meaning: 'The server does not answer under the name in the Host header.' },
  origin_forbidden: { status: 403, meaning: 'Pages of another origin may not ask for this.' },
  request_too_slow: { status: 408, meaning: 'The request did not arrive in time.' },
  server_stopping: { status: 503, meaning: 'The server is being stopped and takes nothing new.' },
  server_busy: { status: 503, meaning: 'The server has too much to do to take this now; try again soon.' },
  store_full: { status: 503, meaning: 'The store has no room for anything new.' },
  store_unavailable: { status: 503, meaning: 'The store cannot be reached for now.' },
  internal: { status: 500, meaning: 'Millrace made a mistake; the server log has the cause.' },
} as const

export type RefusalCode = keyof typeof refusalCatalogue

const entryByCode: Readonly<Record<RefusalCode, RefusalEntry>> = refusalCatalogue

export interface Refusal {
  readonly refused: RefusalCode
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

export function refuse(
  code: RefusalCode,
  message: string = entryByCode[code].meaning,
  details?: Readonly<Record<string, unknown>>,
): Refusal {
  return details === undefined ? { refused: code, message } : { refused: code, message, details }
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'refused' in value
}
