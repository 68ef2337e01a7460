// Holds what a server says against the protocol: every answer and every event has to be what its schema promises, no
// field more and none less.

import {
  clientEvents,
  Problem,
  type Route,
  routes,
  serverEvents,
  type ToClientEvent,
} from '@millrace/protocol'
import { Ajv, type AnySchema, type ValidateFunction } from 'ajv'

const ajv = new Ajv({ strict: false, validateFormats: false })
const compiled = new Map<unknown, ValidateFunction>()

const byPath = Object.values(routes).map((route: Route) => ({
  route,
  pattern: new RegExp(`^${route.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

export function checkAnswer(method: string, path: string, status: number, body: unknown): void {
  const pathname = path.split('?')[0] ?? ''
  const matches = byPath.filter(({ route, pattern }) => route.method === method && pattern.test(pathname))
  // A path without parameters is meant before one whose parameter it would fit.
  const route = matches.toSorted((a, b) => braces(a.route.path) - braces(b.route.path))[0]?.route
  const what = `${method} ${path} ${status}`
  if (status in (route?.replies ?? {})) {
    const schema = route?.replies[status]
    if (schema) check(schema, body, what)
    else if (body !== '') throw new Error(`${what} has a body`)
  } else check(Problem, body, what)
}

export function checkEvent(event: string, payload: unknown): void {
  const said: ToClientEvent | undefined = Object.values(clientEvents).find((one) => one.event === event)
  if (!said) throw new Error(`the server says ${event}, which the protocol does not know`)
  check(said.payload, payload, event)
}

export function checkAcknowledgement(event: string, answer: unknown): void {
  const said = Object.values(serverEvents).find((one) => one.event === event)
  const isRefused = typeof answer === 'object' && answer !== null && 'ok' in answer && answer.ok === false
  if (isRefused) check(Problem, 'problem' in answer ? answer.problem : null, `refusal of ${event}`)
  else if (said) check(said.reply, answer, `acknowledgement of ${event}`)
}

function braces(path: string): number {
  return path.split('{').length
}

function check(schema: unknown, value: unknown, what: string): void {
  const isValid = compiled.get(schema) ?? ajv.compile(schema as AnySchema)
  compiled.set(schema, isValid)
  if (isValid(value)) return
  const wrong = isValid.errors?.map(
    (one) => `${one.instancePath} ${one.message} ${JSON.stringify(one.params)}`,
  )
  throw new Error(`${what} is not what the protocol says: ${wrong?.join('; ')}\n${JSON.stringify(value)}`)
}
