// A server, the quiet room of the canary, and mallory, who has an account and a room of her own and means no good. While
// an attack runs the canary is watched; every answer that mallory gets is written down.

import { inspected } from '../process/inspected-heap.ts'
import { makeTempDir } from '../process/temp-dir.ts'
import { ApiClient } from '../server/api-client.ts'
import { type ServerProcess, startServerProcess } from '../server/server-process.ts'
import { HttpExchange, type Received, type Sent } from '../server-access/http-exchange.ts'
import { Canary, secret } from './canary.ts'
import { RawSocket } from './raw-socket.ts'

export interface HostileCase {
  /** Of the figure that the bench makes of it. */
  readonly name: string
  readonly title: string
  /** Short; it is done again until enough jobs of the canary were begun meanwhile. */
  readonly attack: (scene: HostileScene) => Promise<void>
}

const password = 'a password for tests'
/**
 * What waits for a time limit of the server shall not wait long; but a socket has as long as ever for its credential, as
 * thousands come at once on a machine that may be slow. A connection that reads nothing is cut after less than usual.
 */
const edge: readonly string[] = [
  ...['--request-timeout-ms', '5000'],
  ...['--header-timeout-ms', '60000'],
  ...['--send-buffer-max-bytes', '1000000'],
]
/** How many times as long as usual. */
export const patience: number = Number(process.env.MILLRACE_HOSTILE ?? 1)

export class HostileScene {
  readonly server: ServerProcess
  readonly canary: Canary
  readonly mallory: ApiClient
  readonly room = 'mallory-room'
  readonly http: HttpExchange
  /** What must never be answered. */
  readonly outrages: string[] = []

  private constructor(server: ServerProcess, canary: Canary, mallory: ApiClient) {
    this.server = server
    this.canary = canary
    this.mallory = mallory
    this.http = new HttpExchange(server.url)
  }

  static async open(place: readonly string[]): Promise<HostileScene> {
    const directory = await makeTempDir('hostile')
    const args = ['--data-dir', directory, '--registrations-per-minute', '1000', ...edge, ...place]
    const server = await startServerProcess(args, inspected)
    const owner = await account(server, 'owner')
    const mallory = await account(server, 'mallory')
    await mallory.expect(201, 'POST', '/api/rooms', { name: 'mallory-room' })
    return new HostileScene(server, await Canary.start(owner, 'canary-room'), mallory)
  }

  get url(): string {
    return this.server.url
  }

  get token(): string {
    return this.mallory.token ?? ''
  }

  /** How long each job of the canary took, in ms, that began while the attack was under way; all of them have to end. */
  async during(attack: HostileCase['attack'], leastJobs: number): Promise<readonly number[]> {
    const from = this.canary.begun
    do await attack(this)
    while (this.canary.begun < from + leastJobs)
    return this.canary.times(from, this.canary.begun)
  }

  /** Sends it as mallory unless the headers say otherwise. */
  async send(sent: Sent): Promise<Received> {
    const headers = { authorization: `Bearer ${this.token}`, ...sent.headers }
    const received = await this.http.send({ ...sent, headers })
    this.note(`${sent.method} ${sent.path.slice(0, 120)}`, received.status, received.text)
    return received
  }

  /** A body that is written as it is, so that it can be what no program would write. */
  post(path: string, body: string | Buffer, type = 'application/json'): Promise<Received> {
    return this.send({ method: 'POST', path, headers: { 'content-type': type }, body: [body] })
  }

  note(what: string, status: number, text: string): void {
    // A server that is full says so; that it did not know what to do it must never say.
    if (status >= 500 && status !== 503) this.outrages.push(`${what}: ${status} ${text.slice(0, 200)}`)
    if (text.includes('"internal"')) this.outrages.push(`${what}: ${text.slice(0, 200)}`)
    if (text.includes(secret)) this.outrages.push(`${what} shows the secret: ${text.slice(0, 200)}`)
  }

  socket(): Promise<RawSocket> {
    return RawSocket.signIn(this.url, this.token)
  }

  async close(): Promise<void> {
    this.http.close()
    this.mallory.close()
    await this.canary.close()
    await this.server.child.kill()
  }
}

async function account(server: ServerProcess, user: string): Promise<ApiClient> {
  await server.admin.expect(201, 'POST', '/api/users', { user, password, role: 'user' })
  const nobody = new ApiClient(server.url, null)
  const { token } = await nobody.expect<{ token: string }>(200, 'POST', '/api/auth/login', { user, password })
  return new ApiClient(server.url, token)
}
