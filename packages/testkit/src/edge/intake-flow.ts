// A server that is a process and is given more than it can do. Run on each store by the test files beside it.

import { afterAll, beforeAll, describe, it } from 'vitest'
import { makeTempDir } from '../process/temp-dir.ts'
import { type ServerProcess, startServerProcess } from '../server/server-process.ts'
import { FlowScene } from '../server-flow/flow-scene.ts'
import { intakeCases, roomMaxPending } from './intake-cases.ts'

export function describeIntake(name: string, place: () => readonly string[]): void {
  describe(`a server on ${name} that is given more than it can do`, () => {
    let server: ServerProcess
    beforeAll(async () => {
      const limits = ['--room-max-pending', String(roomMaxPending), '--registrations-per-minute', '1000']
      server = await startServerProcess(['--data-dir', await makeTempDir('intake'), ...limits, ...place()])
    })
    afterAll(() => server?.child.kill())

    for (const { title, run } of intakeCases) {
      it(title, { timeout: 90_000 }, async () => {
        const scene = new FlowScene(server.url, server.admin.token ?? '')
        try {
          await run(scene)
        } finally {
          await scene.close()
        }
      })
    }
  })
}
