import { Problem } from '@millrace/protocol'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { failed } from '../job/outcome.ts'
import { WorkerError } from '../worker-error.ts'
import { defineExtension, type Extension } from './extension.ts'
import { ExtensionTable } from './extension-table.ts'

const plain = { category: 'modifiers', name: 'Relax', room: 'lab', schema: {}, run: () => 1 } as const

describe('the data of a job', () => {
  it('[K20] has the type that its schema says', () => {
    const relax = defineExtension({
      ...plain,
      schema: {
        type: 'object',
        properties: {
          steps: { type: 'integer', default: 10 },
          method: { enum: ['fast', 'exact'] },
          cell: { type: 'array', items: { type: 'number' } },
          note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          either: { type: ['string', 'boolean'] },
        },
        required: ['method'],
      },
      async run({ data }) {
        expectTypeOf(data).toEqualTypeOf<{
          readonly steps: number
          readonly method: 'fast' | 'exact'
          readonly cell?: readonly number[]
          readonly note?: string | null
          readonly either?: string | boolean
        }>()
        return data.steps > 10 ? failed('too many') : { energy: -1 }
      },
    })
    const extensions: readonly Extension[] = [relax]
    expect(extensions[0]).toBe(relax)
  })

  it('[K20] is read off a TypeBox schema, or given', () => {
    const fromTypeBox = defineExtension({
      ...plain,
      schema: Problem,
      run: ({ data }) =>
        expectTypeOf(data).toEqualTypeOf<{
          readonly type: string
          readonly title: string
          readonly status: number
          readonly code: string
          readonly detail: string
          readonly details?: unknown
        }>(),
    })
    const given = defineExtension<{ steps: number }>({
      ...plain,
      run: ({ data }) => expectTypeOf(data).toEqualTypeOf<{ steps: number }>(),
    })
    expect(new ExtensionTable([fromTypeBox, { ...given, name: 'Other' }]).offers).toHaveLength(2)
  })
})

describe('the extensions of a worker', () => {
  it.each([
    ['run', { run: undefined, rnu: plain.run }, 'modifiers/Relax has no `run`'],
    ['schema', { schema: 'steps' }, 'modifiers/Relax has no `schema`'],
    ['category', { category: 1 }, 'Relax has no `category`'],
    ['name', { name: '' }, 'An extension has no `name`'],
  ])('[K21] without a %s are refused where they are defined', (_what, slip, said) => {
    const defined = (): unknown => defineExtension({ ...plain, ...slip } as unknown as Extension)
    expect(defined).toThrow(WorkerError)
    expect(defined).toThrow(said)
  })

  it('[K21] are offered once for each room, and once when they are global', () => {
    const { offers } = new ExtensionTable(
      [
        { ...plain, room: ['lab', 'office'] },
        { ...plain, name: 'Other', room: undefined as never, policy: { maxRunning: 2 } },
        { ...plain, name: 'All', scope: 'global' },
      ],
      'hall',
    )
    expect(offers).toEqual([
      { room: 'lab', scope: 'room', category: 'modifiers', name: 'Relax', schema: {} },
      { room: 'office', scope: 'room', category: 'modifiers', name: 'Relax', schema: {} },
      {
        room: 'hall',
        scope: 'room',
        category: 'modifiers',
        name: 'Other',
        schema: {},
        policy: { maxRunning: 2 },
      },
      { scope: 'global', category: 'modifiers', name: 'All', schema: {} },
    ])
  })

  it('[K21] without a room, defined twice, or none at all are refused before anything is sent', () => {
    const { room: _room, ...homeless } = plain
    expect(() => new ExtensionTable([homeless])).toThrow(/has no room/)
    expect(() => new ExtensionTable([plain, plain])).toThrow(/defined twice/)
    expect(() => new ExtensionTable([])).toThrow(/at least one extension/)
  })
})
