import { describe, expect, it } from 'vitest'
import { keeping, literals, segments } from './code-view.ts'

describe('the view that tells code from prose', () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ['line comments', 'a // Date\nb', ['code', 'comment', 'code']],
    ['block comments', 'a /* Date */ b', ['code', 'comment', 'code']],
    ['strings with quotes inside', `f('it\\'s "Date"')`, ['code', 'string', 'code']],
    ['templates', 'f(`Date`)', ['code', 'template', 'code']],
    [
      'code inside templates',
      ['f(`a $', '{{ b: `c` }.b} d`)'].join(''),
      ['code', 'template', 'code', 'template', 'code', 'template', 'code'],
    ],
    ['regular expressions with quotes and slashes', 'x = /[\'"`/\\/]/.test(y)', ['code', 'regex', 'code']],
    ['division, which is not one', 'x = a / b / c', ['code']],
    ['a slash after a bracket', 'x = (a) / 2 // half', ['code', 'comment']],
    ['web addresses in strings', "x = 'https://example.org'", ['code', 'string']],
  ]

  it.each(cases)('[H3] knows %s', (_what, text, kinds) => {
    expect(segments(text).map((part) => part.kind)).toEqual(kinds)
    expect(
      segments(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text)
  })

  it('[H3] blanks without moving a line or an offset', () => {
    const text = "const a = 'x' // Date\nconst b = 1"
    const view = keeping(text, 'code')
    expect(view).toHaveLength(text.length)
    expect(view.indexOf('const b')).toBe(text.indexOf('const b'))
    expect(view).not.toContain('Date')
    expect(literals("f('[J1] a', `[J2] b`)")).toEqual(["[J1] a'", '[J2] b`'])
  })
})
