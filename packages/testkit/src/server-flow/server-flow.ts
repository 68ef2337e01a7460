// A server that runs as a process, with workers that are processes too, spoken to over HTTP and sockets. Run on each
// store by the test files beside it.

import { afterAll, beforeAll, describe, it } from 'vitest'
import { makeTempDir } from '../process/temp-dir.ts'
import { type ServerProcess, startServerProcess } from '../server/server-process.ts'
import { accessCases } from './access-cases.ts'
import { assignmentCases } from './assignment-cases.ts'
import { auditCases } from './audit-cases.ts'
import { decisionCases } from './decision-cases.ts'
import { errorCases } from './error-cases.ts'
import { feedCases } from './feed-cases.ts'
import { type FlowCase, FlowScene } from './flow-scene.ts'
import { jobLockCases } from './job-lock-cases.ts'
import { logCases } from './log-cases.ts'
import { manyJobsCases } from './many-jobs-cases.ts'
import { overviewCases } from './overview-cases.ts'
import { placementViewCases } from './placement-view-cases.ts'
import { presenceCases } from './presence-cases.ts'
import { pullCases } from './pull-cases.ts'
import { retryCases } from './retry-cases.ts'
import { submitCases } from './submit-cases.ts'
import { submitLineCases } from './submit-line-cases.ts'
import { viewCases } from './view-cases.ts'

const cases: readonly FlowCase[] = [
  ...assignmentCases,
  ...pullCases,
  ...submitCases,
  ...submitLineCases,
  ...feedCases,
  ...accessCases,
  ...viewCases,
  ...retryCases,
  ...manyJobsCases,
  ...auditCases,
  ...logCases,
  ...decisionCases,
  ...placementViewCases,
  ...errorCases,
  ...overviewCases,
  ...presenceCases,
  ...jobLockCases,
]

/** `place` names the store to the server, as its command line does. */
export function describeServerFlow(name: string, place: () => readonly string[]): void {
  describe(`a server on ${name}`, () => {
    let server: ServerProcess
    beforeAll(async () => {
      const directory = await makeTempDir('server-flow')
      const args = ['--data-dir', directory, '--registrations-per-minute', '1000', ...place()]
      server = await startServerProcess(args)
    })
    afterAll(() => server?.child.kill())

    for (const { title, run } of cases) {
      it(title, async () => {
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
