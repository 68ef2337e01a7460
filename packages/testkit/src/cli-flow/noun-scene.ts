// What a case about the command line works with: a server and its rooms as ever, and `millrace` signed in to it, with a
// configuration folder that nobody else uses.

import { join } from 'node:path'
import { makeTempDir } from '../process/temp-dir.ts'
import { FlowScene } from '../server-flow/flow-scene.ts'
import type { RawOffer, RawWorker } from '../server-flow/worker/raw-worker.ts'
import { type Ended, NounCommand } from './noun-command.ts'

export interface NounCase {
  readonly title: string
  readonly run: (scene: NounScene) => Promise<void>
}

/** A form with one field of each sort. */
export const relaxSchema = {
  description: 'Relax the current frame.',
  additionalProperties: false,
  properties: {
    steps: { type: 'integer', minimum: 1, maximum: 10_000, default: 100, description: 'at most so many' },
    label: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
    cell: { type: 'object', properties: { pbc: { type: 'boolean' } } },
    n: { type: 'integer' },
  },
}

/** The test tells when a job begins: it must not be taken back because commands took their time before. */
export function relaxIn(room: string): RawOffer {
  return { room, name: 'Relax', schema: relaxSchema, policy: { job: { acceptMs: 3_600_000 } } }
}

export class NounScene extends FlowScene {
  readonly env: Readonly<Record<string, string>>

  private constructor(url: string, token: string, folder: string) {
    super(url, token)
    this.env = {
      HOME: folder,
      MILLRACE_PROFILES: join(folder, 'profiles.json'),
      MILLRACE_URL: url,
      MILLRACE_TOKEN: token,
    }
  }

  static async open(url: string, token: string): Promise<NounScene> {
    return new NounScene(url, token, await makeTempDir('nouns'))
  }

  start(args: readonly string[], env: Readonly<Record<string, string>> = {}, stdin = ''): NounCommand {
    return new NounCommand(args, { env: { ...this.env, ...env }, stdin })
  }

  /** Runs it to its end. */
  millrace(args: readonly string[], env: Readonly<Record<string, string>> = {}, stdin = ''): Promise<Ended> {
    return this.start(args, env, stdin).ended
  }

  /** What it printed, where it has to end well. */
  async says(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    stdin = '',
  ): Promise<string> {
    const { code, out, err } = await this.millrace(args, env, stdin)
    if (code !== 0) throw new Error(`millrace ${args.join(' ')} ended with ${code}:\n${err}\n${out}`)
    return out
  }

  /** The same, read as the one JSON text it has to be. */
  async json<Value>(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Value> {
    return JSON.parse(await this.says([...args, '--json'], env)) as Value
  }

  /** A room that is meant when none is named, with a worker for modifiers/Relax. */
  async lab(): Promise<{
    readonly room: string
    readonly worker: RawWorker
    readonly env: { MILLRACE_ROOM: string }
  }> {
    const room = await this.newRoom()
    const worker = await this.worker([relaxIn(room)], { slots: 1 })
    return { room, worker, env: { MILLRACE_ROOM: room } }
  }
}
