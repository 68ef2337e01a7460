// That the page of the wire leaves nothing out: every route, every event and every field of theirs.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  clientEvents,
  type Route,
  routes,
  serverEvents,
  type ToClientEvent,
  type ToServerEvent,
} from '@millrace/protocol'
import { expect, it } from 'vitest'

const docs = join(import.meta.dirname, '../../../../docs')
const page = readFileSync(join(docs, 'generated/protocol.md'), 'utf8')
const prose = readFileSync(join(docs, 'protocol.md'), 'utf8')

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

function fieldsIn({ properties = {}, items, anyOf = [] }: Schema): readonly string[] {
  const below = [...Object.values(properties), ...(items ? [items] : []), ...anyOf]
  return [...Object.keys(properties), ...below.flatMap(fieldsIn)]
}

function sectionOf(heading: string): string {
  const start = page.indexOf(`\n${heading}\n`)
  expect(start, heading).toBeGreaterThan(0)
  const end = page.slice(start + heading.length).search(/\n#+ /)
  return page.slice(start, end < 0 ? undefined : start + heading.length + end)
}

function expectFields(heading: string, schemas: readonly (Schema | null | undefined)[]): void {
  const section = sectionOf(heading)
  const missing = schemas
    .flatMap((schema) => (schema ? fieldsIn(schema) : []))
    .filter((field) => !new RegExp(`[\`.]${field}[?\`]`).test(section))
  expect({ heading, missing }).toEqual({ heading, missing: [] })
}

it('[A9] the page of the wire has every route with every field', () => {
  for (const { method, path, params, query, body, replies } of Object.values(routes) as Route[])
    expectFields(`### ${method} ${path}`, [params, query, body, ...Object.values(replies)])
})

it('[A9] the page of the wire has every event with every field', () => {
  for (const { event, payload, reply } of Object.values(serverEvents) as ToServerEvent[])
    expectFields(`## ${event}`, [payload, reply])
  const answers = Object.values(clientEvents) as ToClientEvent[]
  const afterClient = page.slice(page.indexOf('\n# Events to the client\n'))
  for (const { event } of answers) expect(afterClient).toContain(`\n## ${event}\n`)
})

it('[A9] the events of a worker are told of in the prose', () => {
  const ofWorkers = Object.values(serverEvents).filter(({ event }) => !/^(?:room|system):/.test(event))
  const toWorkers = [clientEvents.jobAssigned, clientEvents.jobCancel, clientEvents.workerBeat]
  const untold = [...ofWorkers, ...toWorkers].filter(({ event }) => !prose.includes(`\`${event}\``))
  expect(untold).toEqual([])
})
