import { type PlacementSnapshot, place, type RoomName, type WorkerId } from '@millrace/domain'
import { describe, expect, it } from 'vitest'
import { drawPlacement } from './draw-placement.ts'
import type { Sight } from './placement-sight.ts'

const relax = 'global/modifiers/Relax/h1'

function demand(room: string, pending: number, queue = relax, extension = 'global/modifiers/Relax') {
  return { key: `${room} ${queue}`, room: room as RoomName, extension, ability: queue, band: 0, pending }
}

function supply(id: string, slots: number, abilities: readonly string[]) {
  const total = { slots, cpu: 0, memoryMb: 0, gpu: 0 }
  return { id: id as WorkerId, abilities, total, free: total, health: { ok: true } as const }
}

const snapshot: PlacementSnapshot = {
  rooms: [],
  classes: [
    demand('lab', 4),
    demand('vault', 9),
    demand('crypt', 7, 'room/analysis/Secret/h2', 'crypt room/analysis/Secret'),
  ],
  workers: [supply('mine', 3, [relax]), supply('theirs', 5, ['room/analysis/Secret/h2'])],
}

const everything: Sight = { isAdmin: true, room: () => true, worker: () => true }
const lab: Sight = { isAdmin: false, room: (name) => name === 'lab', worker: ({ id }) => id === 'mine' }
const nobodys: Sight = { ...lab, worker: () => false }

function drawn(sight: Sight, of: PlacementSnapshot = snapshot): string[] {
  const { edges } = drawPlacement({ snapshot: of, plan: place(of) }, sight)
  return edges.map(
    ({ from, to, flow, capacity, cut }) => `${from} → ${to} ${flow}/${capacity}${cut ? ' cut' : ''}`,
  )
}

describe('drawPlacement', () => {
  it('[G1] whoever may see all is shown all', () => {
    expect(drawn(everything)).toEqual([
      'source → room crypt 5/7',
      'source → room lab 2/4',
      'source → room vault 1/9',
      'room crypt → class crypt room/analysis/Secret/h2 5/7',
      `room lab → class lab ${relax} 2/4`,
      `room vault → class vault ${relax} 1/9`,
      'class crypt room/analysis/Secret/h2 → pool theirs 5/5',
      `class lab ${relax} → pool mine 2/3`,
      `class vault ${relax} → pool mine 1/3`,
      'pool mine → sink 3/3 cut',
      'pool theirs → sink 5/5 cut',
    ])
  })

  it('[G4] jobs of other rooms have no name where they take slots in sight, and say nothing of what waits', () => {
    expect(drawn(lab)).toEqual([
      'source → room lab 2/4',
      `room lab → class lab ${relax} 2/4`,
      `class lab ${relax} → pool mine 2/3`,
      'hidden class → pool mine 1/1',
      'pool mine → sink 3/3 cut',
      'source → hidden room 1/1',
      'hidden room → hidden class 1/1',
    ])
  })

  it('[G4] a pool out of sight has no name and no size, only what flows into it from what is in sight', () => {
    expect(drawn(nobodys)).toEqual([
      'source → room lab 2/4',
      `room lab → class lab ${relax} 2/4`,
      `class lab ${relax} → hidden pool 2/3`,
      'hidden pool → sink 2/2 cut',
    ])
  })

  it('[G4] an extension with a limit is shown to those who have jobs of it, and to others is none', () => {
    const limited = {
      ...snapshot,
      extensions: [
        { extension: 'global/modifiers/Relax', running: 0, maxRunning: 2 },
        { extension: 'crypt room/analysis/Secret', running: 0, maxRunning: 2 },
      ],
    }
    const names = drawn(lab, limited)
    expect(names.filter((line) => line.includes('extension'))).toEqual([
      `class lab ${relax} → extension global/modifiers/Relax 1/4 cut`,
      'hidden class → extension global/modifiers/Relax 1/1',
      'extension global/modifiers/Relax → pool mine 2/3',
    ])
    expect(names.join()).not.toMatch(/vault|crypt|Secret/)
  })

  it('[G4] what goes in goes out, whoever looks', () => {
    for (const sight of [everything, lab, nobodys]) {
      const { nodes, edges } = drawPlacement({ snapshot, plan: place(snapshot) }, sight)
      for (const { id, kind } of nodes) {
        if (kind === 'source' || kind === 'sink') continue
        const flow = (end: 'from' | 'to') =>
          edges.filter((edge) => edge[end] === id).reduce((sum, edge) => sum + edge.flow, 0)
        expect({ id, flow: flow('to') }).toEqual({ id, flow: flow('from') })
      }
    }
  })
})
