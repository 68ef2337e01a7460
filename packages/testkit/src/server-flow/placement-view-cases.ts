// Placement on the screen: the network of a pass, the passes before it, and what one more worker would change.

import type { JobsPage, PassSummary, PlacementView, WhatIfView } from '@millrace/protocol'
import { expect } from 'vitest'
import type { CheckedClient } from './checked-client.ts'
import type { FlowCase, FlowScene } from './flow-scene.ts'

const network = (client: CheckedClient, query = ''): Promise<PlacementView> =>
  client.get<PlacementView>(`/api/placement${query}`)

const history = async (client: CheckedClient): Promise<readonly PassSummary[]> =>
  (await client.get<{ passes: PassSummary[] }>('/api/placement/history')).passes

const whatIf = (client: CheckedClient, body: unknown): Promise<WhatIfView> =>
  client.expect<WhatIfView>(200, 'POST', '/api/placement/what-if', body)

/** A room whose one worker runs one job, while so many wait. */
async function busyRoom(scene: FlowScene, waiting: number, access: 'open' | 'private' = 'open') {
  const room = await scene.newRoom(access)
  const worker = await scene.worker([{ room }])
  await scene.submit(room)
  const running = await worker.assigned.next()
  await worker.started(running)
  await scene.submitMany(room, waiting)
  return { room, worker, running }
}

/** The network as soon as a pass has seen so many of the room wait: a pass follows a submit, it does not come with it. */
async function networkOf(client: CheckedClient, room: string, waiting: number): Promise<PlacementView> {
  for (;;) {
    const view = await network(client)
    if (view.waiting.find((one) => one.room === room)?.count === waiting) return view
  }
}

export const placementViewCases: readonly FlowCase[] = [
  {
    title:
      '[G1] the network of the last pass leads from the room to its workers, shows its cut, and says why',
    run: async (scene) => {
      const { room, worker } = await busyRoom(scene, 3)
      const { at, nodes, edges, waiting } = await networkOf(scene.admin, room, 3)
      expect(at).not.toBeNull()
      const its = nodes.filter((node) => node.room === room || node.workers?.includes(worker.id))
      expect(its.map(({ kind }) => kind)).toEqual(['room', 'class', 'pool'])
      const [first, second, third] = its
      expect(second).toMatchObject({ scope: 'room', category: 'modifiers', extension: 'Relax' })
      expect(third).toMatchObject({ label: worker.id, workerCount: 1, slots: 1, freeSlots: 0 })
      const between = (from?: { id: string }, to?: { id: string }) =>
        edges.find((edge) => edge.from === from?.id && edge.to === to?.id)
      expect(between({ id: 'source' }, first)).toMatchObject({ flow: 0, capacity: 3 })
      expect(between(first, second)).toMatchObject({ flow: 0, capacity: 3 })
      expect(between(second, third)).toMatchObject({ flow: 0, capacity: 0 })
      expect(between(third, { id: 'sink' })).toMatchObject({ flow: 0, capacity: 0 })
      expect(edges.some(({ cut }) => cut)).toBe(true)
      expect(waiting.find((one) => one.room === room)).toMatchObject({
        reason: 'all_slots_busy',
        sentence: 'All workers for it are busy (slots).',
      })
    },
  },
  {
    title: '[G2] the passes are remembered in order, each with what it started, and each can be drawn again',
    run: async (scene) => {
      const { room, worker, running } = await busyRoom(scene, 2)
      const before = await networkOf(scene.admin, room, 2)
      await worker.completed(running)
      await worker.assigned.next()
      await networkOf(scene.admin, room, 1)
      const passes = await history(scene.admin)
      const instants = passes.map(({ pass }) => pass)
      expect(instants).toEqual(instants.toSorted((a, b) => a - b))
      expect(passes.length).toBeLessThanOrEqual(200)
      const since = passes.filter(({ at }) => at >= (before.at ?? 0))
      expect(since.reduce((sum, { started }) => sum + started, 0)).toBeGreaterThan(0)
      expect(passes.at(-1)).toMatchObject({ drawn: true, workers: expect.any(Number) })
      const drawn = await network(scene.admin, `?pass=${passes.at(-1)?.pass}`)
      expect(drawn.nodes.length).toBeGreaterThan(0)
      expect(await network(scene.admin, '?pass=1')).toEqual({
        at: null,
        pass: null,
        nodes: [],
        edges: [],
        waiting: [],
      })
    },
  },
  {
    title:
      '[G3] one more worker like one there is, or of a shape, would start so many, and asking starts none',
    run: async (scene) => {
      const { room, worker } = await busyRoom(scene, 5)
      await networkOf(scene.admin, room, 5)
      const relax = { room, scope: 'room', category: 'modifiers', name: 'Relax' }
      const like = await whatIf(scene.admin, { like: worker.id })
      expect(like.more).toBe(1)
      expect(like.classes).toEqual([
        {
          room,
          scope: 'room',
          category: 'modifiers',
          extension: 'Relax',
          hash: expect.any(String),
          before: 0,
          after: 1,
        },
      ])
      expect(like.waiting.find((one) => one.room === room)).toMatchObject({
        count: 4,
        reason: 'all_slots_busy',
      })
      expect(await whatIf(scene.admin, { like: worker.id, slots: 3 })).toMatchObject({ more: 3 })
      const large = await whatIf(scene.admin, { slots: 8, extensions: [relax] })
      expect(large.more).toBe(5)
      expect(large.waiting.some((one) => one.room === room)).toBe(false)
      const pending = await scene.admin.get<JobsPage>(`/api/rooms/${room}/jobs?status=pending`)
      expect(pending.jobs).toHaveLength(5)
    },
  },
  {
    title:
      '[G3] a worker that cannot be is refused: no shape, too large, an extension or a worker that is not there',
    run: async (scene) => {
      const room = await scene.newRoom()
      const refused = async (status: number, body: unknown): Promise<string> =>
        (await scene.admin.refused(status, 'POST', '/api/placement/what-if', body)).code
      const nowhere = { room, scope: 'room', category: 'modifiers', name: 'Nothing' }
      expect(await refused(400, {})).toBe('request_invalid')
      expect(await refused(400, { extensions: [{ ...nowhere, room: undefined }] })).toBe('request_invalid')
      expect(await refused(422, { slots: 100_000, extensions: [] })).toBe('resources_invalid')
      expect(await refused(404, { extensions: [nowhere] })).toBe('extension_not_found')
      expect(await refused(404, { extensions: [{ ...nowhere, room: 'no-such-room' }] })).toBe(
        'room_not_found',
      )
      expect(await refused(404, { like: 'no-such-worker' })).toBe('worker_not_found')
    },
  },
  {
    title:
      '[G4] of a room that one may not see neither the network nor the passes nor an answer to what-if tell',
    run: async (scene) => {
      const hidden = await busyRoom(scene, 4, 'private')
      await networkOf(scene.admin, hidden.room, 4)
      const stranger = await scene.user()
      const own = await scene.newRoom('open', stranger)
      await scene.worker([{ room: own }], {}, stranger)
      const told = [
        await network(stranger),
        await history(stranger),
        await whatIf(stranger, { slots: 9, extensions: [{ room: own, ...relaxOf }] }),
      ]
      const text = JSON.stringify(told)
      expect(text).not.toContain(hidden.room)
      expect(text).not.toContain(hidden.worker.id)
      const like = { like: hidden.worker.id }
      expect((await stranger.refused(404, 'POST', '/api/placement/what-if', like)).code).toBe(
        'worker_not_found',
      )
      for (const { planMs, workers, freeSlots } of await history(stranger))
        expect([planMs, workers, freeSlots]).toEqual([null, null, null])
    },
  },
]

const relaxOf = { scope: 'room', category: 'modifiers', name: 'Relax' } as const
