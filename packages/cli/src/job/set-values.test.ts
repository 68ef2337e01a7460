import { describe, expect, it } from 'vitest'
import { withValues } from './set-values.ts'

const schema = {
  type: 'object',
  $defs: {
    cell: { type: 'object', properties: { pbc: { type: 'boolean' }, lengths: { $ref: '#/$defs/list' } } },
    list: { type: 'array', items: { type: 'number' } },
  },
  properties: {
    steps: { type: 'integer' },
    fmax: { type: 'number' },
    label: { type: 'string' },
    dry: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    cell: { $ref: '#/$defs/cell' },
    seed: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    mixed: { type: ['string', 'integer'] },
    level: { enum: [1, 2, 'all'] },
    anything: {},
    'with.dot': { type: 'integer' },
    options: { type: 'object', additionalProperties: { type: 'integer' } },
  },
}

describe('--set', () => {
  it.each([
    ['steps=5', { steps: 5 }],
    ['steps=-5', { steps: -5 }],
    ['fmax=1e-3', { fmax: 0.001 }],
    ['label=007', { label: '007' }],
    ['label=true', { label: 'true' }],
    ['label=', { label: '' }],
    ['label=a=b', { label: 'a=b' }],
    ['dry=true', { dry: true }],
    ['tags=a, b', { tags: ['a', 'b'] }],
    ['tags=1,2', { tags: ['1', '2'] }],
    ['tags=["x,y"]', { tags: ['x,y'] }],
    ['tags=', { tags: [] }],
    ['cell.pbc=false', { cell: { pbc: false } }],
    ['cell.lengths=1,2.5', { cell: { lengths: [1, 2.5] } }],
    ['cell={"pbc":true}', { cell: { pbc: true } }],
    ['seed=null', { seed: null }],
    ['seed=3', { seed: 3 }],
    ['mixed=7', { mixed: 7 }],
    ['mixed=seven', { mixed: 'seven' }],
    ['level=2', { level: 2 }],
    ['level=all', { level: 'all' }],
    ['anything={"a":[1]}', { anything: { a: [1] } }],
    ['anything=word', { anything: 'word' }],
    ['with.dot=1', { 'with.dot': 1 }],
    ['options.deep=4', { options: { deep: 4 } }],
    ['nobody.knows=4', { nobody: { knows: 4 } }],
  ])('[N13] %s is read as the schema wants it', (set, data) => {
    expect(withValues({}, [set], schema)).toEqual(data)
  })

  it.each([
    ['steps=many', { steps: 'many' }],
    ['dry=yes', { dry: 'yes' }],
    ['cell=round', { cell: 'round' }],
  ])('[N13] %s does not fit and stays a text, which the server will refuse', (set, data) => {
    expect(withValues({}, [set], schema)).toEqual(data)
  })

  it('[N13] values go on top of the data, the last one wins, and a list that is set again grows', () => {
    const sets = ['steps=1', 'steps=2', 'tags=a', 'tags=b,c', 'cell.pbc=true']
    const base = { label: 'kept', tags: ['gone'], cell: { lengths: [1] } }
    expect(withValues(base, sets, schema)).toEqual({
      label: 'kept',
      steps: 2,
      tags: ['a', 'b', 'c'],
      cell: { lengths: [1], pbc: true },
    })
    expect(base.tags).toEqual(['gone'])
  })

  it('[N13] a name that objects have of their own is a name like any other', () => {
    const data = withValues({}, ['__proto__.x=1', 'constructor=2'], schema) as object
    expect(Object.keys(data)).toEqual(['__proto__', 'constructor'])
    expect({}).not.toHaveProperty('x')
  })

  it.each(['steps', '=5'])("[N13] '%s' is no name with a value", (set) => {
    expect(() => withValues({}, [set], schema)).toThrow('name=value')
  })

  it('[N13] only an object takes values', () => {
    expect(() => withValues([1], ['a=1'], schema)).toThrow('--data')
    expect(withValues([1], [], schema)).toEqual([1])
  })
})
