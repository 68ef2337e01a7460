import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainText, plainValue } from './plain-text.ts'

describe('text of others', () => {
  it.each([
    ['a colour', '\u001b[31mred\u001b[0m', 'red'],
    ['a title of the window', '\u001b]0;owned\u0007text', 'text'],
    ['a return that overwrites', 'all is well\rlost', 'all is welllost'],
    ['a bell and a backspace', 'a\u0007b\b', 'ab'],
    ['an eight-bit control', 'a\u009b31mb', 'ab'],
    ['text that runs backwards', 'a\u202eb', 'ab'],
    ['lines and tabs, which stay', 'a\n\tb', 'a\n\tb'],
  ])('[N7] %s does nothing to a terminal', (_what, text, plain) => {
    expect(plainText(text)).toBe(plain)
  })

  it('[N7] no text keeps a control character but new line and tab, and plain text stays', () => {
    const characters = fc.integer({ min: 0, max: 0x20_70 }).map((code) => String.fromCharCode(code))
    const control = /[^\P{Cc}\n\t]/u
    fc.assert(
      fc.property(fc.string({ unit: characters }), (text) => {
        const plain = plainText(text)
        expect(plain).not.toMatch(control)
        expect(plainText(plain)).toBe(plain)
      }),
      { seed: 7 },
    )
  })

  it('[N7] every text inside a value is cleaned, keys too', () => {
    expect(plainValue({ 'a\u0007': ['\u001b[1mx', 1, null], b: { c: 'y\r' } })).toEqual({
      a: ['x', 1, null],
      b: { c: 'y' },
    })
  })
})
