import type { PlacementEdge, PlacementNode, WaitingClass } from '@millrace/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { narrowsOf, stopsOf } from './cut-words.ts'
import { fitLabels } from './fit-labels.ts'
import { layFlow } from './flow-layout.ts'
import { bandSentence } from './flow-words.ts'
import { type Network, trimNetwork, withoutIdle } from './trim-network.ts'

const node = (
  kind: PlacementNode['kind'],
  name: string,
  change: Partial<PlacementNode> = {},
): PlacementNode => ({
  id: kind === 'source' || kind === 'sink' ? kind : `${kind} ${name}`,
  kind,
  label: name,
  hidden: false,
  ...change,
})

const edge = (from: string, to: string, flow: number, capacity: number, cut = false): PlacementEdge => ({
  from,
  to,
  flow,
  capacity,
  cut,
})

const waiting: WaitingClass = {
  room: 'lab',
  scope: 'room',
  category: 'modifiers',
  extension: 'Relax',
  hash: 'h',
  count: 3,
  reason: 'all_slots_busy',
  sentence: 'All workers for it are busy (slots).',
  details: {},
}

/** So many rooms, each with jobs of its own for one pool. */
function rooms(flows: readonly number[], pool: Partial<PlacementNode> = {}): Network {
  const names = flows.map((_, at) => `r${at}`)
  return {
    nodes: [
      node('source', 'jobs'),
      ...names.map((name) => node('room', name)),
      ...names.map((name) => node('class', name)),
      node('pool', 'w', pool),
      node('sink', 'slots'),
    ],
    edges: [
      ...names.map((name, at) => edge('source', `room ${name}`, flows[at] ?? 0, 9)),
      ...names.map((name, at) => edge(`room ${name}`, `class ${name}`, flows[at] ?? 0, 9)),
      ...names.map((name, at) => edge(`class ${name}`, 'pool w', flows[at] ?? 0, 9)),
      edge(
        'pool w',
        'sink',
        flows.reduce((sum, flow) => sum + flow, 0),
        9,
        true,
      ),
    ],
  }
}

const flowInto = ({ nodes, edges }: Network, kind: PlacementNode['kind']): number => {
  const ids = new Set(nodes.filter((one) => one.kind === kind).map(({ id }) => id))
  return edges.reduce((sum, { to, flow }) => (ids.has(to) ? sum + flow : sum), 0)
}

describe('a network that is too large to look at', () => {
  it('[U68] keeps what does most, and all that flows', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5), { minLength: 1, maxLength: 40 }), (flows) => {
        const whole = rooms(flows)
        const seen = trimNetwork(whole, 8)
        for (const kind of ['room', 'class', 'pool', 'sink'] as const) {
          expect(flowInto(seen, kind)).toBe(flowInto(whole, kind))
          expect(seen.nodes.filter((one) => one.kind === kind).length).toBeLessThanOrEqual(8)
        }
      }),
      { seed: 68 },
    )
    const { nodes } = trimNetwork(rooms([1, 5, 2]), 2)
    expect(nodes.filter(({ kind }) => kind === 'room').map(({ label }) => label)).toEqual([
      'r1',
      '2 more rooms',
    ])
  })

  it('[U68] leaves out workers that none of the jobs could go to', () => {
    const { nodes, edges } = rooms([1])
    const idle = {
      nodes: [...nodes, node('pool', 'other')],
      edges: [...edges, edge('pool other', 'sink', 0, 4)],
    }
    expect(withoutIdle(idle)).toEqual({ nodes, edges })
  })
})

describe('where it is narrow', () => {
  const words = (pool: Partial<PlacementNode>, cut: PlacementEdge, reason = 'all_slots_busy') => {
    const { nodes, edges } = rooms([1], pool)
    const drawn = { nodes, edges: [...edges.slice(0, -1), cut], waiting: [{ ...waiting, reason }] }
    return narrowsOf(drawn).map((one) => one.words)
  }

  it('[U69] is said only where something waits', () => {
    const { nodes, edges } = rooms([1])
    expect(narrowsOf({ nodes, edges, waiting: [] })).toEqual([])
    expect(words({ slots: 1, freeSlots: 1 }, edge('pool w', 'sink', 1, 1, true))).toEqual(['all slots busy'])
  })

  it('[U69] is said as it is: slots, a worker that takes nothing, or a limit over all rooms', () => {
    const cut = edge('pool w', 'sink', 0, 0, true)
    expect(words({ slots: 4, freeSlots: 0 }, cut)).toEqual(['all slots busy'])
    expect(words({ slots: 4, freeSlots: 4 }, cut)).toEqual(['takes nothing new'])
    expect(words({ slots: 4, freeSlots: 4 }, cut, 'global_limit')).toEqual([
      'the limit over all rooms is reached',
    ])
  })

  it('[U69] is said at jobs that nobody serves, where no way leads on', () => {
    const { room, scope, category, extension, hash } = waiting
    const alone = node('class', 'Relax', { room, scope, category, extension, hash })
    const stops = stopsOf({ nodes: [alone], edges: [], waiting: [{ ...waiting, reason: 'no_worker' }] })
    expect([...stops.values()]).toEqual(['no worker serves it'])
  })

  it('[U69] is part of the sentence of its band', () => {
    const told = { edge: edge('a', 'b', 1, 3), from: node('pool', 'w'), to: node('sink', 'slots') }
    expect(bandSentence(told, 'all slots busy')).toBe(
      'w to slots: 1 job flows, 3 could; here it is narrow: all slots busy.',
    )
  })
})

describe('the picture', () => {
  it('[U70] has a place for everything within its frame, and bands as solid as what flows', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9), { minLength: 1, maxLength: 12 }), (flows) => {
        const { width, height, nodes, bands } = layFlow(rooms(flows), 900)
        for (const { x, y, width: wide, height: tall } of nodes) {
          expect(x).toBeGreaterThanOrEqual(0)
          expect(x + wide).toBeLessThanOrEqual(width)
          expect(y).toBeGreaterThanOrEqual(0)
          expect(y + tall).toBeLessThanOrEqual(height + 1e-6)
        }
        for (const { edge: drawn, flowWidth, width: wide } of bands) {
          expect(flowWidth > 0).toBe(drawn.flow > 0)
          expect(flowWidth).toBeLessThanOrEqual(wide + 1e-6)
        }
      }),
      { seed: 70 },
    )
  })

  it('[U70] goes from left to right in the order of its kinds', () => {
    const { nodes } = layFlow(rooms([1, 2]), 900)
    const at = (kind: string): number => nodes.find((one) => one.node.kind === kind)?.x ?? -1
    const places = ['source', 'room', 'class', 'pool', 'sink'].map(at)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })

  it('[U70] has words that keep clear of each other, or none', () => {
    const spans = (width: number) => {
      const named = layFlow(rooms([1, 1, 1, 2]), width).nodes.map((laid) => {
        return { laid, name: `${laid.node.kind}-with-a-long-name`, more: ', 3 wait', stop: '' }
      })
      const labels = fitLabels(named, [])
      return named.flatMap(({ laid }) => {
        const { x, anchor, text } = labels.get(laid.node.id) ?? { x: 0, anchor: 'start', text: '' }
        const wide = text.length * 6
        const left = anchor === 'start' ? x : x - wide
        return text === '' ? [] : [{ left, right: left + wide, y: laid.y + laid.height / 2 }]
      })
    }
    for (const width of [560, 900, 1_400]) {
      const found = spans(width)
      expect(found.length).toBeGreaterThan(0)
      for (const a of found)
        for (const b of found)
          if (a !== b && Math.abs(a.y - b.y) < 8) expect(a.right <= b.left || b.right <= a.left).toBe(true)
    }
  })
})
