// Shapes that several routes and events share. Bounds here keep absurd input from the use-cases; the rules about names
// and values are the domain's and answer with their own codes.

import Type, { type Static, type TProperties, type TSchema } from 'typebox'

/** An object that accepts the named fields and no others: a misspelt field is an error and not silence. */
export function strict<Fields extends TProperties>(fields: Fields) {
  return Type.Object(fields, { additionalProperties: false })
}

/** The same with every field left to choose. */
export function choice<Fields extends TProperties>(fields: Fields) {
  return Type.Object(Type.Partial(Type.Object(fields)).properties, { additionalProperties: false })
}

export function oneOf<const Words extends readonly string[]>(...words: Words) {
  return Type.Unsafe<Words[number]>({ type: 'string', enum: words })
}

export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}

export const Name = Type.String({ minLength: 1, maxLength: 128 })
export const Id = Type.String({ minLength: 1, maxLength: 128 })
export const Token = Type.String({ minLength: 1, maxLength: 128 })
export const Instant = Type.Integer({
  minimum: 0,
  maximum: 8_640_000_000_000,
  description: 'ms since 1970, by the clock of the store',
})
export const Count = Type.Integer({ minimum: 0 })
/** As a worker counts. With it lines that are sent again are kept once. */
export const LineNumber = Type.Integer({
  minimum: 0,
  maximum: 1_000_000_000_000,
  description: 'the number of the first of these lines, counted from 0 within the attempt',
})

/** Its size is bounded by the request, its shape by whatever schema it is meant for. */
export const Json = Type.Unsafe<unknown>({ description: 'any JSON value' })
export const JsonObject = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })

export const Scope = oneOf('room', 'global', 'builtin')
export const JobStatus = oneOf('pending', 'assigned', 'running', 'completed', 'failed', 'cancelled')
export const UserRole = oneOf('guest', 'user', 'admin')
/** As a credential may have it: a pool is not a user. */
export const CallerRole = oneOf('guest', 'user', 'admin', 'pool')
export const WorkerKind = oneOf('pool', 'client', 'manager')

export type Scope = Static<typeof Scope>
export type JobStatus = Static<typeof JobStatus>
export type UserRole = Static<typeof UserRole>
export type WorkerKind = Static<typeof WorkerKind>

/** RFC 9457, with the stable code that programs act on. */
export const Problem = strict({
  type: Type.String(),
  title: Type.String(),
  status: Type.Integer(),
  code: Type.String(),
  detail: Type.String(),
  /** Whatever the refusal names: limits, hashes, differences, JSON pointers. */
  details: Type.Optional(JsonObject),
})
export type Problem = Static<typeof Problem>

export const roomParams = strict({ room: Name })
