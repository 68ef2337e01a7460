// The commands about jobs, as processes, against a server that is one too. Run on each store by the test files beside it.

import { afterAll, beforeAll, describe, it } from 'vitest'
import { makeTempDir } from '../process/temp-dir.ts'
import { type ServerProcess, startServerProcess } from '../server/server-process.ts'
import { followCases } from './follow-cases.ts'
import { jobCases } from './job-cases.ts'
import { manyJobsCases } from './many-jobs-cases.ts'
import { type NounCase, NounScene } from './noun-scene.ts'

/** They run at once, each with several processes: on a busy machine the slowest waits for all the others. */
const hangMs = 90_000

/** `place` names the store to the server, as its command line does. */
export function describeNounFlow(name: string, place: () => readonly string[]): void {
  describe(`the command line with a server on ${name}`, () => {
    describeCases([...jobCases, ...followCases, ...manyJobsCases], place)
  })
}

/** One server for all of them; each has rooms of its own, so they run at once. */
export function describeCases(cases: readonly NounCase[], place: () => readonly string[] = () => []): void {
  let server: ServerProcess
  beforeAll(async () => {
    const args = ['--data-dir', await makeTempDir('nouns'), '--guests', '--registrations-per-minute', '1000']
    server = await startServerProcess([...args, ...place()])
  })
  afterAll(() => server?.child.kill())

  for (const { title, run } of cases) {
    it.concurrent(title, { timeout: hangMs }, async () => {
      const scene = await NounScene.open(server.url, server.admin.token ?? '')
      try {
        await run(scene)
      } finally {
        await scene.close()
      }
    })
  }
}
