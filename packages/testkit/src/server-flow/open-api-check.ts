// Holds a description of an interface against what OpenAPI 3.1 demands of the parts we use: its operations, their
// parameters and answers, and schemas that are JSON Schema 2020-12.

import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'vitest'

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: object
}

interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content & { readonly description: string }>>
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
}

export interface OpenApi {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly securitySchemes?: object }
}

const ajv = new Ajv2020({ strict: false, validateFormats: false })

export function expectOpenApi({ openapi, info, paths, components }: OpenApi): void {
  expect(openapi).toMatch(/^3\.1\.\d+$/)
  expect(info).toMatchObject({ title: 'Millrace', version: expect.any(String) })
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const where = `${method} ${path}`
      expectParameters(where, path, operation.parameters ?? [])
      expectAnswers(where, operation)
      for (const scheme of (operation.security ?? []).flatMap((one) => Object.keys(one)))
        expect(components?.securitySchemes, where).toHaveProperty(scheme)
    }
  }
}

/** Those in the path are the ones its template names, and all of them are required. */
function expectParameters(where: string, path: string, parameters: readonly Parameter[]): void {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
  const inPath = parameters.filter((one) => one.in === 'path')
  expect(inPath.map(({ name }) => name).toSorted(), where).toEqual(named.toSorted())
  expect(
    inPath.filter(({ required }) => required !== true),
    where,
  ).toEqual([])
  for (const { in: place, schema } of parameters) {
    expect(['path', 'query'], where).toContain(place)
    expectSchema(where, schema)
  }
}

function expectAnswers(where: string, { requestBody, responses }: Operation): void {
  expect(Object.keys(responses).length, where).toBeGreaterThan(0)
  for (const [status, { description, content }] of Object.entries(responses)) {
    expect(status, where).toMatch(/^(?:[1-5]\d\d|default)$/)
    expect(typeof description, where).toBe('string')
    for (const { schema } of Object.values(content ?? {})) expectSchema(where, schema)
  }
  for (const [type, { schema }] of Object.entries(requestBody?.content ?? {})) {
    expect(type, where).toBe('application/json')
    expectSchema(where, schema)
  }
}

/** Compiling follows every reference, so one that leads nowhere fails here. */
function expectSchema(where: string, schema: object): void {
  expect(() => ajv.compile(schema), where).not.toThrow()
}
