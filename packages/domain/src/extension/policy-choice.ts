// Reads the policy a worker sends along, which is any JSON: every field has to be known and of the right kind. Whether
// its numbers lie within their limits is for extensionPolicy to say.

import { isRefusal, type Refusal, refuse } from '../refusal.ts'
import { isPlainObject } from './canonical-json.ts'
import type { ExtensionPolicyChoice } from './extension-policy.ts'

type Kind = 'number' | 'boolean' | 'text' | 'texts'

interface Field {
  readonly kind: Kind | Fields
  readonly nullable?: true
}

type Fields = Readonly<Record<string, Field>>

const number: Field = { kind: 'number' }

const jobFields: Fields = {
  maxAttempts: number,
  backoffBaseMs: number,
  backoffCapMs: number,
  acceptMs: number,
  runLimitMs: number,
  cancelGraceMs: number,
  onWorkerLost: { kind: 'text' },
  retentionMs: number,
  deadLetterRetentionMs: number,
}

const policyFields: Fields = {
  needs: { kind: { slots: number, cpu: number, memoryMb: number, gpu: number, labels: { kind: 'texts' } } },
  maxRunning: { kind: 'number', nullable: true },
  short: { kind: 'boolean' },
  breaker: { kind: { failuresToOpen: number, openMs: number } },
  rate: { kind: { count: number, perMs: number }, nullable: true },
  job: { kind: jobFields },
}

export function parsePolicyChoice(value: unknown): ExtensionPolicyChoice | Refusal {
  const refusal = fieldsRefusal(value, policyFields, 'policy')
  return refusal ?? (value as ExtensionPolicyChoice)
}

function fieldsRefusal(value: unknown, fields: Fields, name: string): Refusal | null {
  if (!isPlainObject(value)) return wrong(name, 'an object')
  for (const [key, part] of Object.entries(value)) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined
    const path = name === 'policy' ? key : `${name}.${key}`
    if (field === undefined)
      return refuse('policy_invalid', `A policy has no field ${path}.`, { field: path })
    const refusal = fieldRefusal(part, field, path)
    if (isRefusal(refusal)) return refusal
  }
  return null
}

function fieldRefusal(value: unknown, { kind, nullable }: Field, path: string): Refusal | null {
  if (value === null && nullable) return null
  if (typeof kind === 'object') return fieldsRefusal(value, kind, path)
  return isOfKind[kind](value) ? null : wrong(path, kindNames[kind])
}

const isOfKind: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  text: (value) => typeof value === 'string',
  texts: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
}

const kindNames: Readonly<Record<Kind, string>> = {
  number: 'a number',
  boolean: 'true or false',
  text: 'a text',
  texts: 'a list of texts',
}

function wrong(field: string, expected: string): Refusal {
  return refuse('policy_invalid', `${field} has to be ${expected}.`, { field })
}
