// What a case about users works with: an empty store of its own on a clock that stands until it is moved, and the
// server's own parts around it. A second replica shares the store and remembers for itself.

import type { Caller, Identity, RoomName, UserName, UserRole } from '@millrace/domain'
import { isRefusal, type Refusal } from '@millrace/domain'
import {
  Credentials,
  createArgon2Hasher,
  createJoseSigner,
  createUser,
  ensureAdmin,
  FailedSignIns,
  type IssuedToken,
  type PasswordHasher,
  RecordMemory,
  Rooms,
  randomCodes,
  type Store,
  type StoredRecord,
  signIn,
  type UserMemory,
  userOfRecord,
} from '@millrace/server'

export interface UserCase {
  readonly title: string
  readonly run: (scene: UserScene) => Promise<void>
}

export const password = 'correct horse'
export const lab: RoomName = 'lab' as RoomName
export const sessionTtlSeconds = 3_600
const secret = new Uint8Array(32).fill(7)

export class Clock {
  #at = 1_800_000_000_000
  readonly now = (): number => this.#at

  pass(ms: number): void {
    this.#at += ms
  }
}

let sharedHasher: Promise<PasswordHasher> | undefined

export class UserScene {
  readonly store: Store
  readonly clock: Clock
  readonly hasher: PasswordHasher
  readonly users: UserMemory
  readonly credentials: Credentials
  readonly codes: typeof randomCodes = randomCodes
  readonly failedSignIns: FailedSignIns
  readonly rooms: Rooms

  private constructor(store: Store, clock: Clock, hasher: PasswordHasher, guests: boolean) {
    this.store = store
    this.clock = clock
    this.hasher = hasher
    this.users = new RecordMemory(store, userOfRecord)
    this.rooms = new Rooms(store)
    this.failedSignIns = new FailedSignIns(store)
    const signer = createJoseSigner(secret)
    this.credentials = new Credentials({ ...this, signer, guests, sessionTtlSeconds })
  }

  static async make(store: Store, clock: Clock): Promise<UserScene> {
    sharedHasher ??= createArgon2Hasher()
    return new UserScene(store, clock, await sharedHasher, true)
  }

  replica(guests = true): UserScene {
    return new UserScene(this.store, this.clock, this.hasher, guests)
  }

  /** The first admin, and users made by her; each signs in with the same password. */
  async peopled(...names: readonly string[]): Promise<Caller> {
    await ensureAdmin(this, { name: 'olga', password })
    const olga = caller('olga', 'admin')
    for (const name of names) answered(await createUser(this, olga, { name, password, role: 'user' }))
    return olga
  }

  async session(name: string): Promise<IssuedToken> {
    return this.credentials.issueSession(answered(await signIn(this, name, password)))
  }

  async identity(name: string): Promise<Identity> {
    return answered(await this.credentials.verify((await this.session(name)).token))
  }

  async refusedAs(token: string): Promise<string | undefined> {
    const answer = await this.credentials.verify(token)
    return isRefusal(answer) ? answer.refused : undefined
  }

  /** What a replica does with the events of others. */
  forget({ partition, key }: Pick<StoredRecord, 'partition' | 'key'>): void {
    this.users.forget(partition, key)
    this.credentials.forget(partition, key)
  }
}

export function caller(user: string, role: UserRole = 'user'): Caller {
  return { user: user as UserName, role }
}

export function answered<Answer>(answer: Answer | Refusal): Answer {
  if (isRefusal(answer)) throw new Error(`${answer.refused}: ${answer.message}`)
  return answer
}

export function refusedCodes(answers: readonly unknown[]): readonly string[] {
  return answers.filter(isRefusal).map(({ refused }) => refused)
}
