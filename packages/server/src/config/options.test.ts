import { describe, expect, it } from 'vitest'
import { nearestName } from './nearest-name.ts'
import { optionNames, optionOf } from './options.ts'
import { parseQuantity, type Unit } from './quantity.ts'
import { readConfig } from './read-config.ts'
import { renderConfigPage } from './render-config-page.ts'

const readFile = (): string => '{}'
const unitEndings: Readonly<Record<string, string>> = {
  Ms: ' ms',
  Seconds: ' seconds',
  Bytes: ' bytes',
  Mb: ' MB',
}

/** `a whole number from 1 to 10 …` */
function rangeOf(allowed: string): { readonly min: number; readonly max: number } | null {
  const groups = /^a whole number from (?<min>\d+) to (?<max>\d+)/.exec(allowed)?.groups
  return groups ? { min: Number(groups.min), max: Number(groups.max) } : null
}

const measured = optionNames.flatMap((name) => {
  const range = rangeOf(optionOf(name).kind.allowed)
  return range ? [{ name, ...range }] : []
})

describe('the table of options', () => {
  it.each(optionNames)('[C10] %s says what it is, and what more and less of it do, in sentences', (name) => {
    const { is, more, less } = optionOf(name)
    for (const sentence of [is, more, less]) expect(sentence).toMatch(/^[A-Z].{10,}\.$/)
  })

  it('[C10] no flag and no variable belongs to two options, and our own variable comes first', () => {
    const flags = optionNames.map((name) => optionOf(name).flag).filter((flag) => flag !== null)
    const variables = optionNames.flatMap((name) => optionOf(name).env.map((variable) => variable.name))
    expect(new Set(flags).size).toBe(flags.length)
    expect(new Set(variables).size).toBe(variables.length)
    for (const name of optionNames) expect(optionOf(name).env[0]?.name).toMatch(/^MILLRACE_[A-Z_]+$/)
  })

  it('[C10] only secrets have no flag, and every secret is masked', () => {
    for (const name of optionNames) {
      const { flag, kind } = optionOf(name)
      if (flag === null) expect(kind.mask).toBeDefined()
    }
    expect(optionNames.filter((name) => optionOf(name).flag === null)).toEqual([
      'secret',
      'adminPassword',
      'metricsToken',
    ])
  })

  it('[C10] a measured option ends with its unit', () => {
    expect(measured.length).toBeGreaterThan(10)
    for (const { name } of measured) {
      const unit = Object.entries(unitEndings).find(([ending]) => name.endsWith(ending))?.[1]
      const { allowed } = optionOf(name).kind
      expect(allowed.includes(' (or with a unit')).toBe(unit !== undefined)
      if (unit !== undefined) expect(allowed).toContain(unit)
    }
  })

  it.each(measured)('[C10] $name takes $min and $max and nothing beyond', ({ name, min, max }) => {
    const { kind } = optionOf(name)
    expect([kind.parse(min), kind.parse(String(max))]).toEqual([min, max])
    for (const beyond of [min - 1, max + 1, min + 0.5, Number.NaN, '', 'many', null, true, [min]]) {
      expect(kind.parse(beyond)).toBeUndefined()
    }
  })

  it('[C10] every default is one that would be accepted', () => {
    for (const name of optionNames) {
      const { default: fallback, kind } = optionOf(name)
      if ('value' in fallback) expect(kind.parse(fallback.value)).toEqual(fallback.value)
    }
    expect(readConfig({ args: [], env: {}, readFile })).toHaveProperty('config')
  })

  it('[C10] the page names every option, flag and variable', () => {
    const page = renderConfigPage()
    for (const name of optionNames) {
      const { flag, env } = optionOf(name)
      expect(page).toContain(`### ${name}\n`)
      if (flag !== null) expect(page).toContain(`\`--${flag}\``)
      for (const variable of env) expect(page).toContain(`\`${variable.name}\``)
    }
    expect(page).toContain('`WORKER_TIMEOUT` (in s)')
  })
})

describe('a quantity', () => {
  it.each<[unknown, Unit, number | undefined]>([
    ['250', 'ms', 250],
    [' 250 ', 'ms', 250],
    ['1.5s', 'ms', 1_500],
    ['0.1 s', 'ms', 100],
    ['4m', 's', 240],
    ['4min', 's', 240],
    ['12h', 's', 43_200],
    ['1d', 's', 86_400],
    ['1500ms', 's', undefined],
    ['2000ms', 's', 2],
    ['100KB', 'bytes', 100_000],
    ['100 kb', 'bytes', 100_000],
    ['1MiB', 'bytes', 1_048_576],
    ['8MB', 'bytes', 8_000_000],
    ['512', 'MB', 512],
    ['1GiB', 'MB', 1_024],
    ['1GB', 'MB', undefined],
    ['1_000_000', 'bytes', 1_000_000],
    ['1.5', 'bytes', undefined],
    ['10/minute', 'per minute', 10],
    ['10 / min', 'per minute', 10],
    ['1/s', 'per minute', 60],
    ['600/hour', 'per minute', 10],
    ['1/hour', 'per minute', undefined],
    ['10KB', 'ms', undefined],
    ['10s', 'bytes', undefined],
    ['10s', 'count', undefined],
    ['-1', 'count', undefined],
    ['1e3', 'count', undefined],
    ['0x10', 'count', undefined],
    ['', 'count', undefined],
    ['9007199254740993', 'count', undefined],
    [Number.POSITIVE_INFINITY, 'count', undefined],
    [undefined, 'count', undefined],
  ])('[C4] %j in %s is %s', (raw, unit, expected) => {
    expect(parseQuantity(raw, unit)).toBe(expected)
  })

  it('[C4] a bare number has the unit of its source', () => {
    expect(parseQuantity('0.25', 'ms', 's')).toBe(250)
    expect(parseQuantity(240, 'ms', 's')).toBe(240_000)
    expect(parseQuantity('500ms', 'ms', 's')).toBe(500)
    expect(parseQuantity('0.0001', 'ms', 's')).toBeUndefined()
  })
})

describe('a share', () => {
  const { kind } = optionOf('poolShortShare')

  it.each([
    ['0', 0],
    ['0.2', 0.2],
    ['20%', 0.2],
    ['12.5 %', 0.125],
    [0.9, 0.9],
    ['90%', 0.9],
    ['91%', undefined],
    [0.91, undefined],
    ['-0.1', undefined],
    ['1e-1', undefined],
    ['a fifth', undefined],
    ['', undefined],
    [Number.NaN, undefined],
    [null, undefined],
  ])('[C4] %j is %s', (raw, expected) => {
    expect(kind.parse(raw)).toBe(expected)
  })
})

it.each([
  ['prot', 'port'],
  ['PORT', 'port'],
  ['hots', 'host'],
  ['public', null],
  ['x', null],
])('[C6] %s means %s', (typed, meant) => {
  expect(nearestName(typed, ['host', 'port', 'public-url'])).toBe(meant)
})
