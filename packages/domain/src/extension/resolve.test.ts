import { describe, expect, it } from 'vitest'
import type { Scope } from '../job/job.ts'
import type { Extension } from './extension.ts'
import { registerExtension } from './register.ts'
import { listExtensions, resolveExtension } from './resolve.ts'
import { accepted, quiet, registration, someone } from './sample-extension.ts'

const template = accepted(registerExtension(null, registration('one', 'w1'), someone('max'), quiet, 0)).next
const relax = (scope: Scope): Extension => ({ ...template, id: { ...template.id, scope } })
const [near, wide, builtin] = [relax('room'), relax('global'), relax('builtin')]
const wanted = { category: 'modifiers', name: 'Relax' }

describe('resolving a submit', () => {
  it('[E24] without a scope the room comes first, then global, then built-in, and what is hidden is told', () => {
    expect(resolveExtension([builtin, near, wide], wanted)).toEqual({
      extension: near,
      shadowed: [wide, builtin],
    })
    expect(resolveExtension([builtin, wide], wanted)).toEqual({ extension: wide, shadowed: [builtin] })
    expect(resolveExtension([builtin], wanted)).toEqual({ extension: builtin, shadowed: [] })
  })

  it.each([near, wide, builtin])('[E25] a named scope is taken at its word: $id.scope', (expected) => {
    const answer = resolveExtension([builtin, wide, near], { ...wanted, scope: expected.id.scope })
    expect(answer).toMatchObject({ extension: expected })
  })

  it('[E25] a named scope without such an extension is not replaced by another', () => {
    expect(resolveExtension([near, builtin], { ...wanted, scope: 'global' })).toMatchObject({
      refused: 'extension_not_found',
      message: 'There is no extension modifiers/Relax of scope global in reach.',
    })
  })

  it('[E24] category and name have to agree, case included', () => {
    expect(resolveExtension([near], { ...wanted, category: 'analysis' })).toMatchObject({
      refused: 'extension_not_found',
    })
    expect(resolveExtension([near], { ...wanted, name: 'relax' })).toMatchObject({
      refused: 'extension_not_found',
    })
    expect(resolveExtension([], wanted)).toMatchObject({ refused: 'extension_not_found' })
  })
})

describe('listing', () => {
  it('[E26] extensions of one name are all listed, nearest first, the hidden ones marked with what hides them', () => {
    const other = { ...wide, id: { ...wide.id, name: 'Other' } }
    expect(listExtensions([builtin, other, wide, near])).toEqual([
      { extension: near, shadowedBy: null },
      { extension: other, shadowedBy: null },
      { extension: wide, shadowedBy: 'room' },
      { extension: builtin, shadowedBy: 'room' },
    ])
  })
})
