// Everything that means no good, against a server that is a process of its own, with a quiet room beside it whose
// jobs all have to be done; how fast is the business of `npm run bench -- hostile`. Run on each store by the test files beside it; MILLRACE_HOSTILE=10 does it ten times.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { heldBytes } from '../process/inspected-heap.ts'
import { residentBytes } from '../process/process-figures.ts'
import { hostileCases } from './hostile-cases.ts'
import { HostileScene, patience } from './hostile-scene.ts'

const mb = 2 ** 20
/** Caches of records, compiled schemas and jobs of mallory's that wait; all of them have limits of their own. */
const keptMb = 60
/** The allocator gives back less than was freed; five thousand connections with their buffers were there meanwhile. */
const residentMb = 400
/** Half a minute is given to a connection to be closed from the other side. */
const closingMs = 40_000
/** It ends a hang and measures nothing. */
const longestCaseMs = 180_000
/** Of the canary, begun during an attack. */
const leastJobs = 5
/** Pino's error; a fault is logged as one. */
const fault = /"level":(?:50|60)/

export function describeHostile(name: string, place: () => readonly string[]): void {
  describe(`a server on ${name} among enemies`, () => {
    let scene: HostileScene
    let before: { readonly held: number; readonly resident: number; readonly standing: object }
    beforeAll(async () => {
      scene = await HostileScene.open(place())
      const { child } = scene.server
      const held = await heldBytes(child)
      before = { held, resident: residentBytes(child.pid), standing: await scene.canary.standing() }
    })
    afterAll(() => scene?.close())

    for (const { title, attack } of hostileCases) {
      it(
        title,
        async () => {
          scene.outrages.length = 0
          for (let round = 0; round < patience; round += 1) await scene.during(attack, leastJobs)
          expect.soft(scene.outrages).toEqual([])
          expect.soft(scene.canary.troubles).toEqual([])
          expect.soft(faultsOf(scene)).toEqual([])
        },
        longestCaseMs * patience,
      )
    }

    it('[X36] after all of it the quiet room is as it was, in the same process', async () => {
      expect(await scene.canary.standing()).toEqual(before.standing)
      expect(scene.canary.troubles).toEqual([])
      expect(await scene.server.admin.expect(200, 'GET', '/health/live')).toEqual({ status: 'live' })
      expect(faultsOf(scene)).toEqual([])
    })

    it(
      '[X36] after all of it the connections are gone and the memory is free again',
      async () => {
        const { child } = scene.server
        await connectionsGone(scene)
        const held = await heldOnceClosed(scene, before.held + keptMb * mb)
        const resident = residentBytes(child.pid)
        const figures = `held ${inMb(before.held)} → ${inMb(held)}, resident ${inMb(before.resident)} → ${inMb(resident)}`
        console.log(`${name}: ${figures}`)
        expect(held, figures).toBeLessThan(before.held + keptMb * mb)
        expect(resident, figures).toBeLessThan(before.resident + residentMb * mb)
      },
      longestCaseMs,
    )
  })
}

function faultsOf({ server }: HostileScene): readonly string[] {
  return server.child.lines.filter((line) => fault.test(line)).map((line) => line.slice(0, 400))
}

/** The canary's three and nobody's else. */
async function connectionsGone({ server, canary }: HostileScene): Promise<void> {
  for (;;) {
    const { text } = await server.admin.call('GET', '/metrics').then(({ body }) => ({ text: String(body) }))
    const open = Number(/^millrace_connections (\d+)$/m.exec(text)?.[1] ?? 0)
    if (open <= 2) return
    await canary.next(5)
  }
}

/** A connection whose other end is gone without a word is not counted any more, but stands until its closing has timed out. */
async function heldOnceClosed({ server, canary }: HostileScene, enough: number): Promise<number> {
  const until = performance.now() + closingMs
  for (;;) {
    const held = await heldBytes(server.child)
    if (held < enough || performance.now() > until) return held
    await canary.next(5)
  }
}

function inMb(bytes: number): string {
  return `${(bytes / mb).toFixed(1)} MB`
}
