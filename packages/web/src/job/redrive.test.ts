import { describe, expect, it } from 'vitest'
import { byRoom, redrivenText } from './redrive.ts'

describe('dead letters that are redriven', () => {
  it('[U71] go to the server room by room', () => {
    const chosen = [
      { room: 'a', id: '1' },
      { room: 'b', id: '2' },
      { room: 'a', id: '3' },
    ]
    expect(byRoom(chosen)).toEqual([
      { room: 'a', ids: ['1', '3'] },
      { room: 'b', ids: ['2'] },
    ])
  })

  it('[U71] are counted in words, with why some were refused', () => {
    expect(redrivenText({ matched: 1, done: 1, refused: [] })).toBe('1 job was redriven.')
    const refused = [
      { id: '1', code: 'data_invalid' },
      { id: '2', code: 'data_invalid' },
    ]
    expect(redrivenText({ matched: 4, done: 2, refused })).toBe(
      '2 jobs were redriven; 2 could not be (data_invalid).',
    )
  })
})
