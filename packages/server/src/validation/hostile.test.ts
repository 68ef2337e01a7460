import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AdmittedSchema, admitSchema, dataLimits, isRefusal, type Refusal } from '@millrace/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Validator } from '../ports/validator.ts'
import { openAjvValidator } from './ajv-validator.ts'

// A real validator; the limits are the real ones. Each case also checks that the event loop's thread did not do the work.
const validator: Validator = openAjvValidator()
beforeAll(async () => {
  await validator.validateAll(schemaOf({ pattern: 'warm' }), ['warm'])
})
afterAll(() => validator.close())

function schemaOf(schema: unknown): AdmittedSchema {
  const admitted = admitSchema(schema, (text) => createHash('sha256').update(text).digest('hex'))
  if (isRefusal(admitted)) throw new Error(admitted.message)
  return admitted
}

/** Of processor time, which a loaded machine does not stretch; on the event loop each of these would take seconds. */
const ownWorkMs = 400

async function unhindered<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  const before = process.threadCpuUsage()
  try {
    return await work()
  } finally {
    const { user, system } = process.threadCpuUsage(before)
    expect((user + system) / 1e3).toBeLessThan(ownWorkMs)
  }
}

const validate = (schema: unknown, data: unknown): Promise<readonly unknown[] | Refusal> =>
  unhindered(() => validator.validateAll(schemaOf(schema), [data]))
const admit = (schema: unknown): Promise<Refusal | null> =>
  unhindered(() => validator.admit(schemaOf(schema)))

describe('hostile schemas and data', () => {
  it('[V7] uniqueItems on 229 kB of objects is stopped at the limit', async () => {
    const objects = Array.from({ length: 12_100 }, (_, n) => ({ a: { b: [n] } }))
    expect(JSON.stringify(objects).length).toBeGreaterThan(229_000)
    expect(await validate({ type: 'array', uniqueItems: true }, objects)).toMatchObject({
      refused: 'validation_too_slow',
      details: { limitMs: 1_000 },
    })
  })

  it('[V7] after one that was stopped the next value is answered as ever', async () => {
    const started: unknown[] = []
    channel('child_process').subscribe((child) => started.push(child))
    const unique = schemaOf({ type: 'array', uniqueItems: true })
    const slow = Array.from({ length: 20_000 }, (_, n) => ({ a: [n, { b: n }] }))
    const [refused, ...others] = await unhindered(() =>
      Promise.all([slow, [1, 2], [1, 1], [3]].map((value) => validator.validateAll(unique, [value]))),
    )
    expect(refused).toMatchObject({ refused: 'validation_too_slow' })
    expect(others).toEqual([[[1, 2]], expect.objectContaining({ refused: 'data_invalid' }), [[3]]])
    // At most the second of the two that there may be: what was stopped goes on with the next one.
    expect(started.length).toBeLessThanOrEqual(1)
  })

  it('[V8] a pattern that would backtrack for ever is matched in linear time', async () => {
    const evil = { type: 'string', pattern: '^(a+)+$' }
    expect(await validate(evil, `${'a'.repeat(20_000)}!`)).toMatchObject({ refused: 'data_invalid' })
    expect(await validate(evil, 'a'.repeat(20_000))).toEqual(['a'.repeat(20_000)])
  })

  it.each([
    ['/properties/a/pattern', { properties: { a: { pattern: '(?=a)b' } } }],
    ['/properties/a/pattern', { properties: { a: { pattern: '(a)\\1' } } }],
    ['/properties/a/pattern', { properties: { a: { pattern: '(' } } }],
    [
      '/$defs/x/patternProperties/(?<!a)~1b',
      {
        $defs: { x: { patternProperties: { '(?<!a)/b': {} } } },
        $ref: '#/$defs/x',
      },
    ],
  ])('[V8] a pattern that cannot be is refused at admission at %s', async (pointer, schema) => {
    expect(await admit(schema)).toMatchObject({
      refused: 'schema_pattern_unsupported',
      details: { pointer },
    })
  })

  it('[V7] a pattern that is a program of its own is stopped at the limit', async () => {
    const pattern = '(?:a{900}|b{900})'.repeat(4_000)
    expect(await admit({ pattern })).toMatchObject({
      refused: expect.stringMatching(/^schema_(?:too_costly|pattern_unsupported)$/),
    })
  })

  it('[V9] a schema that refers to itself validates a tree, and its data is bounded in depth', async () => {
    const tree = { type: 'object', properties: { next: { $ref: '#' } }, additionalProperties: false }
    const deep = (levels: number): unknown =>
      JSON.parse(`${'{"next":'.repeat(levels)}{}${'}'.repeat(levels)}`)
    expect(await validate(tree, deep(50))).toEqual([deep(50)])
    expect(await validate(tree, deep(100_000))).toMatchObject({
      refused: 'json_too_deep',
      details: { limit: dataLimits.maxDepth },
    })
    expect(await validate({}, JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)))).toMatchObject({
      refused: 'json_too_deep',
    })
  })

  it.each([
    ['itself', { $ref: '#' }],
    ['each other', { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }],
    ['itself among alternatives', { anyOf: [{ type: 'null' }, { $ref: '#' }] }],
  ])('[V9] references that lead to %s without end are refused at admission', async (_to, schema) => {
    expect(await admit(schema)).toMatchObject({ refused: 'schema_too_costly' })
  })

  it('[V7] references that double at each of 30 steps are stopped at the limit', async () => {
    const part = (at: number) => ({ allOf: [{ $ref: `#/$defs/p${at}` }, { $ref: `#/$defs/p${at}` }] })
    const defs = Array.from({ length: 30 }, (_, at) => [
      `p${at}`,
      at === 0 ? { type: 'array' } : part(at - 1),
    ])
    expect(await admit({ $defs: Object.fromEntries(defs), ...part(29) })).toMatchObject({
      refused: 'schema_too_costly',
    })
  })

  it('[V7] a schema as large as a schema may be is compiled in time or refused, off the event loop', async () => {
    const fields = Array.from({ length: 1_900 }, (_, n) => [`field${n}`, { type: 'integer', minimum: n }])
    const answer = await admit({ type: 'object', properties: Object.fromEntries(fields) })
    expect(answer === null || answer.refused === 'schema_too_costly').toBe(true)
  })

  it('[V7] a huge enum is looked through in a process', async () => {
    const words = Array.from({ length: 9_000 }, (_, n) => `word${n}`)
    const list = Array.from({ length: 50_000 }, () => 'word8999')
    const answer = await validate({ items: { enum: words } }, list)
    expect(isRefusal(answer) ? answer.refused : 'fits').toMatch(/^(?:validation_too_slow|fits)$/)
    expect(await validate({ enum: words }, 'no word')).toMatchObject({
      details: { errors: [{ message: expect.stringMatching(/^must be one of "word0".*…$/) }] },
    })
  })

  it('[V7] alternatives of alternatives over a long list are stopped at the limit or answered', async () => {
    const nested = (depth: number): unknown =>
      depth === 0 ? { type: 'string' } : { anyOf: [nested(depth - 1), nested(depth - 1), nested(depth - 1)] }
    const list = Array.from({ length: 200_000 }, () => 1)
    expect(await validate({ items: nested(6) }, list)).toMatchObject({
      refused: expect.stringMatching(/^(?:validation_too_slow|schema_too_costly|data_invalid)$/),
    })
  })

  it('[V10] defaults that would fill the memory are refused, and the process lives', async () => {
    const large = 'x'.repeat(60_000)
    const schema = { items: { type: 'object', properties: { a: { default: large } } } }
    const list = Array.from({ length: 300_000 }, () => ({}))
    expect(await validate(schema, list)).toMatchObject({
      refused: expect.stringMatching(/^(?:json_too_large|validation_too_slow)$/),
    })
    expect(await validate({ pattern: 'alive' }, 'alive')).toEqual(['alive'])
  })

  it('[V11] no key reaches what all objects inherit', async () => {
    const poisoned = JSON.parse('{"a": {"__proto__": {"polluted": true}}}') as unknown
    expect(await validate({ type: 'object' }, poisoned)).toMatchObject({
      refused: 'data_invalid',
      details: { errors: [{ pointer: '/a/__proto__' }] },
    })
    const reach = {
      properties: {
        constructor: { properties: { prototype: { properties: { polluted: { default: 1 } } } } },
      },
    }
    expect(await validate(reach, {})).toEqual([{}])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('[V11] what an object only inherits is not there', async () => {
    expect(await validate({ required: ['constructor', 'toString'] }, {})).toMatchObject({
      details: { errors: [{ pointer: '/constructor' }, { pointer: '/toString' }] },
    })
  })

  it('[V12] formats of long texts are checked in a process', async () => {
    const schema = { items: { type: 'string', format: 'email' } }
    const list = Array.from({ length: 20 }, () => `${'a.'.repeat(20_000)}@`)
    expect(await validate(schema, list)).toMatchObject({ refused: expect.any(String) })
  })

  it('[V12] a thousand large values take turns with everybody else', async () => {
    const schema = schemaOf({ type: 'object', properties: { list: { items: { type: 'number' } } } })
    const values = Array.from({ length: 1_000 }, () => ({ list: Array.from({ length: 1_500 }, (_, n) => n) }))
    expect(await unhindered(() => validator.validateAll(schema, values))).toEqual(values)
  })

  it('[V13] when too many wait, the rest are told to come again', async () => {
    const small = openAjvValidator({ processes: 1 })
    const schema = schemaOf({ type: 'string', pattern: '^a' })
    const answers = await Promise.all(Array.from({ length: 1_200 }, () => small.validateAll(schema, ['a'])))
    await small.close()
    const busy = answers.filter((answer) => isRefusal(answer) && answer.refused === 'validation_busy')
    expect(busy).toHaveLength(199)
    expect(answers.filter((answer) => !isRefusal(answer))).toHaveLength(1_001)
  })

  it('[V14] a validation that ends its process leaves everybody else as they were', async () => {
    const children: ChildProcess[] = []
    const note = (message: unknown): number => children.push((message as { process: ChildProcess }).process)
    channel('child_process').subscribe(note)
    const small = openAjvValidator({ processes: 1 })
    const unique = schemaOf({ type: 'array', uniqueItems: true })
    await small.validateAll(unique, [[1, 2]])
    children[0]?.kill('SIGSTOP')
    const answers = Promise.all([[1], [1, 1], [3]].map((value) => small.validateAll(unique, [value])))
    children[0]?.kill('SIGKILL')
    expect(await answers).toEqual([
      expect.objectContaining({ refused: 'validation_too_slow' }),
      expect.objectContaining({ refused: 'data_invalid' }),
      [[3]],
    ])
    children[1]?.kill('SIGKILL')
    await once(children[1] as ChildProcess, 'exit')
    expect(await small.validateAll(unique, [[4]])).toEqual([[4]])
    channel('child_process').unsubscribe(note)
    await small.close()
    expect(children).toHaveLength(3)
  })

  it('[V14] a validating process has none of the variables, and runs without permissions', async () => {
    const children: ChildProcess[] = []
    const note = (message: unknown): number => children.push((message as { process: ChildProcess }).process)
    channel('child_process').subscribe(note)
    const small = openAjvValidator({ processes: 1 })
    channel('child_process').unsubscribe(note)
    await small.validateAll(schemaOf({ pattern: 'a' }), ['a'])
    const [child] = children
    expect(child?.spawnargs).toContain('--permission')
    expect(readFileSync(`/proc/${child?.pid}/environ`, 'utf8')).not.toContain('PATH=')
    await small.close()
  })
})
