import { describe, expect, it } from 'vitest'
import { idIn } from './find-job.ts'

const id = '019a92c4-1f3e-7004-8a6e-0b5c9d3e7f11'

describe('what was typed', () => {
  it('[U132] is the id of a job only where it is whole', () => {
    expect(idIn(` ${id.toUpperCase()} `)).toBe(id)
    expect(idIn(id.slice(0, 8))).toBeNull()
    expect(idIn(`${id}0`)).toBeNull()
    expect(idIn('spectrum')).toBeNull()
  })
})
