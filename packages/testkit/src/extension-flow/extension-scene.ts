// What a case about extensions works with: rooms and people as for rooms, workers that register, and jobs that wait.

import { createHash } from 'node:crypto'
import type {
  Caller,
  Extension,
  ExtensionId,
  ExtensionName,
  JobId,
  Refusal,
  Room,
  SchemaHash,
  UserName,
  WorkerId,
} from '@millrace/domain'
import { registrationRate } from '@millrace/domain'
import {
  ActiveJobs,
  type ExtensionOffer,
  Extensions,
  extensionPlace,
  RateBook,
  type RegisteredExtension,
  type RegistrationParts,
  Rooms,
  registerExtension,
  reportJobs,
  type Store,
  submitJobs,
  type Validator,
  withdrawWorker,
} from '@millrace/server'
import { JobScene } from '../job-flow/job-scene.ts'
import { accepted, RoomScene, someone } from '../room-flow/room-scene.ts'

export interface ExtensionCase {
  readonly title: string
  readonly run: (scene: ExtensionScene) => Promise<void>
}

export const relax: ExtensionId = { scope: 'room', category: 'modifiers', name: 'Relax' }
export const oneSchema: Readonly<Record<string, unknown>> = {
  type: 'object',
  properties: { steps: { type: 'integer', minimum: 1 } },
}
export const otherSchema: Readonly<Record<string, unknown>> = {
  type: 'object',
  properties: { steps: { type: 'integer', minimum: 0 }, method: { enum: ['fire'] } },
}

export class ExtensionScene extends RoomScene implements RegistrationParts {
  readonly extensions: Extensions
  readonly validator: Validator
  readonly rates: RateBook = new RateBook(registrationRate)
  readonly builtins: readonly ExtensionName[] = [{ category: 'selections', name: 'All' }]
  readonly #jobs: JobScene

  constructor(store: Store, validator: Validator) {
    super(store)
    this.extensions = new Extensions(store)
    this.validator = validator
    this.#jobs = new JobScene(store)
  }

  sha256(text: string): string {
    return createHash('sha256').update(text).digest('hex')
  }

  /** Another replica: it shares the store and remembers nothing of this one. */
  replica(): RegistrationParts {
    const { store, validator, rates, builtins, sha256 } = this
    const rooms = new Rooms(store)
    return { store, validator, rates, builtins, sha256, rooms, extensions: new Extensions(store) }
  }

  register(
    worker: string,
    offer: Partial<ExtensionOffer>,
    who: Caller = someone('olga'),
    parts: RegistrationParts = this,
  ): Promise<RegisteredExtension | Refusal> {
    const whole = { category: relax.category, name: relax.name, schema: oneSchema, ...offer }
    return registerExtension(parts, who, worker as WorkerId, whole)
  }

  async withdraw(worker: string, room: string | null, id: ExtensionId = relax): Promise<Extension | null> {
    const { next } = await withdrawWorker(this, worker as WorkerId, extensionPlace(id, room))
    return next
  }

  async stored(room: string | null, id: ExtensionId = relax): Promise<Extension | null> {
    return (await this.extensions.fresh(extensionPlace(id, room)))?.value ?? null
  }

  /** A job that waits, pinned to this hash. */
  async submitted(room: string, { scope, category, name }: ExtensionId, hash: SchemaHash): Promise<JobId> {
    const submission = this.#jobs.submission(room, { scope, category, extension: name, schemaHash: hash })
    accepted(await submitJobs(this.store, room, [submission]))
    return submission.id
  }

  async cancelled(room: string, job: JobId): Promise<void> {
    const report = { job, events: [{ type: 'cancel', by: 'olga' as UserName }] } as const
    const [answer] = await reportJobs(this.store, new ActiveJobs(), room, [report], () => 0.5)
    accepted(answer)
  }

  async opened(name: string): Promise<Room> {
    const known = await this.rooms.fresh(name)
    if (known === null) throw new Error(`there is no room ${name}`)
    return known.value
  }
}
