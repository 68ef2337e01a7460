import { describe, expect, it } from 'vitest'
import { CliError } from './cli-error.ts'
import { parseDuration, parseInstant, showAgo, showDuration, showUntil } from './time.ts'

const day = 86_400_000

describe('times', () => {
  it.each([
    [0, '0 ms'],
    [480, '480 ms'],
    [2_500, '2.5 s'],
    [3_000, '3 s'],
    [59_999, '59 s'],
    [185_000, '3 min 5 s'],
    [7_800_000, '2 h 10 min'],
    [3 * day + 4 * 3_600_000, '3 d 4 h'],
  ])('[N29] %i ms are shown as %s', (ms, shown) => {
    expect(showDuration(ms)).toBe(shown)
  })

  it('[N29] what lies back is shown by one unit, and a clock that is ahead does not confuse it', () => {
    expect([5, 5_000, 300_000, 7_200_000, 3 * day].map((ms) => showAgo(0, ms))).toEqual([
      'now',
      '5 s ago',
      '5 min ago',
      '2 h ago',
      '3 d ago',
    ])
    expect(showAgo(10, 0)).toBe('now')
    expect(showUntil(60_000, 0)).toBe('in 1 min')
    expect(showUntil(0, 60_000)).toBe('over since 1 min')
  })

  it.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['10m', 600_000],
    ['1.5h', 5_400_000],
    ['30d', 30 * day],
  ])('[N29] %s is a duration', (text, ms) => {
    expect(parseDuration(text, '--expires')).toBe(ms)
  })

  it.each(['', '10', 'soon', '-1h', '1y'])("[N29] '%s' is none, and the option is named", (text) => {
    expect(() => parseDuration(text, '--expires')).toThrow(CliError)
    expect(() => parseDuration(text, '--expires')).toThrow('--expires')
  })

  it('[N29] an instant is a date, or a distance in the direction that its option means', () => {
    const before = Date.now()
    expect(parseInstant('2026-11-15T18:00Z', '--at', 'ahead')).toBe(Date.UTC(2026, 10, 15, 18))
    expect(parseInstant('1h', '--at', 'ahead')).toBeGreaterThanOrEqual(before + 3_600_000)
    expect(parseInstant('1h', '--since', 'back')).toBeLessThanOrEqual(Date.now() - 3_600_000)
    expect(() => parseInstant('tomorrow', '--at', 'ahead')).toThrow('--at')
  })
})
