// How dear a schema is, judged before anything compiles it: by the keywords it uses and by bounds on its size when
// references are followed. A plain one is compiled and run on the event loop; every other one only in a process of its own.

import { isPlainObject } from '@millrace/domain'

export interface SchemaPlan {
  /** Why it has to run in a process; null for a plain one. */
  readonly dearBecause: string | null
  readonly cost: SchemaCost
  readonly hasDefaults: boolean
  readonly hasFormats: boolean
}

export interface SchemaCost {
  /** All of it, a part counted as often as it is referred to: what compiling takes. */
  readonly size: number
  /** What is checked at the value itself. */
  readonly here: number
  /** An upper bound on what is checked at any one value inside it. */
  readonly below: number
  /** How deep allOf, anyOf and oneOf stand in each other. */
  readonly alternatives: number
}

/** Compiling more than this takes longer than the event loop may be held up. */
const plainSize = 1_000
const plainAlternatives = 2
const plainEnum = 256

/** They compare all with all, run programs, or apply a schema where nothing was consumed. */
const dearKeywords: ReadonlySet<string> = new Set([
  'pattern',
  'patternProperties',
  'not',
  'if',
  'contains',
  'dependentSchemas',
  'dependencies',
  'unevaluatedProperties',
  'unevaluatedItems',
  '$dynamicRef',
  '$recursiveRef',
])

/** Where schemas stand in a schema: beside it for the same value, or below it for the values inside. */
const alternatives: readonly string[] = ['allOf', 'anyOf', 'oneOf']
const beside: readonly string[] = ['not', 'if', 'then', 'else']
const below: readonly string[] = [
  'items',
  'additionalItems',
  'additionalProperties',
  'propertyNames',
  'contains',
  'unevaluatedItems',
  'unevaluatedProperties',
]
const belowByName: readonly string[] = ['properties', 'patternProperties']
const besideByName: readonly string[] = ['dependentSchemas', 'dependencies']

/** Values that are compared with the data or copied into it, and so cost by their own size. */
const weighty: readonly string[] = ['enum', 'const', 'required', 'default', 'dependentRequired', 'type']

const nothing: SchemaCost = { size: 1, here: 1, below: 0, alternatives: 0 }

/** Sums of bounds grow exponentially along a chain of references; beyond this they are just "far too much". */
const ceiling = 1e12

export function planSchema(root: Readonly<Record<string, unknown>>): SchemaPlan {
  const planner = new Planner(root)
  const cost = planner.costOf(root)
  if (cost.size > plainSize) planner.note('its size')
  if (cost.alternatives > plainAlternatives) planner.note('alternatives inside alternatives')
  const [dearBecause = null] = planner.reasons
  return { dearBecause, cost, hasDefaults: planner.hasDefaults, hasFormats: planner.hasFormats }
}

class Planner {
  readonly reasons: string[] = []
  hasDefaults = false
  hasFormats = false
  readonly #root: Readonly<Record<string, unknown>>
  readonly #known = new Map<object, SchemaCost>()
  readonly #open = new Set<object>()

  constructor(root: Readonly<Record<string, unknown>>) {
    this.#root = root
  }

  note(reason: string): void {
    this.reasons.push(reason)
  }

  costOf(schema: unknown): SchemaCost {
    if (!isPlainObject(schema)) return nothing
    const known = this.#known.get(schema)
    if (known !== undefined) return known
    if (this.#open.has(schema)) {
      this.note('a reference to itself')
      return nothing
    }
    this.#open.add(schema)
    const cost = this.#weigh(schema)
    this.#open.delete(schema)
    this.#known.set(schema, cost)
    return cost
  }

  #weigh(schema: Readonly<Record<string, unknown>>): SchemaCost {
    this.#inspect(schema)
    const own = ownCost(schema)
    const total = { size: own, here: own, below: 0, alternatives: 0 }
    for (const part of this.#besides(schema)) {
      const cost = this.costOf(part.schema)
      total.size += cost.size
      total.here += cost.here
      total.below += cost.below
      total.alternatives = Math.max(total.alternatives, cost.alternatives + (part.alternative ? 1 : 0))
    }
    for (const group of insides(schema)) {
      const costs = group.map((part) => this.costOf(part))
      // Of the parts of one group only one applies to a value.
      total.below += Math.max(0, ...costs.map((cost) => Math.max(cost.here, cost.below)))
      for (const cost of costs) total.size += cost.size
      total.alternatives = Math.max(total.alternatives, ...costs.map((cost) => cost.alternatives))
    }
    return {
      size: Math.min(total.size, ceiling),
      here: Math.min(total.here, ceiling),
      below: Math.min(total.below, ceiling),
      alternatives: total.alternatives,
    }
  }

  #inspect(schema: Readonly<Record<string, unknown>>): void {
    for (const keyword of Object.keys(schema)) if (dearKeywords.has(keyword)) this.note(keyword)
    if (schema.uniqueItems === true) this.note('uniqueItems')
    if (schema.$id !== undefined && schema !== this.#root) this.note('$id')
    if (Array.isArray(schema.items)) this.note('a list of items')
    if (Array.isArray(schema.enum) && schema.enum.length > plainEnum) this.note('a large enum')
    if (schema.default !== undefined) this.hasDefaults = true
    if (schema.format !== undefined) this.hasFormats = true
  }

  #besides(schema: Readonly<Record<string, unknown>>): readonly Beside[] {
    const found: Beside[] = []
    if (typeof schema.$ref === 'string') found.push({ schema: this.#target(schema.$ref), alternative: false })
    for (const keyword of alternatives) {
      for (const part of listAt(schema, keyword)) found.push({ schema: part, alternative: true })
    }
    for (const keyword of beside) found.push({ schema: schema[keyword], alternative: false })
    for (const keyword of besideByName) {
      for (const part of namedAt(schema, keyword)) found.push({ schema: part, alternative: false })
    }
    return found
  }

  #target(reference: string): unknown {
    const found = resolvePointer(this.#root, reference)
    if (found === undefined) this.note('a reference that is not a pointer')
    return found
  }
}

interface Beside {
  readonly schema: unknown
  readonly alternative: boolean
}

function insides(schema: Readonly<Record<string, unknown>>): readonly (readonly unknown[])[] {
  return [
    ...below.map((keyword) => (Array.isArray(schema[keyword]) ? [] : [schema[keyword]])),
    ...belowByName.map((keyword) => namedAt(schema, keyword)),
    listAt(schema, 'prefixItems'),
    listAt(schema, 'items'),
  ].filter((group) => group.some((part) => part !== undefined))
}

function ownCost(schema: Readonly<Record<string, unknown>>): number {
  const named = belowByName.reduce((count, keyword) => count + namedAt(schema, keyword).length, 0)
  return weighty.reduce(
    (cost, keyword) => cost + nodesOf(schema[keyword]),
    1 + Object.keys(schema).length + named,
  )
}

function listAt(schema: Readonly<Record<string, unknown>>, keyword: string): readonly unknown[] {
  const value = schema[keyword]
  return Array.isArray(value) ? value : []
}

function namedAt(schema: Readonly<Record<string, unknown>>, keyword: string): readonly unknown[] {
  const value = schema[keyword]
  return isPlainObject(value) ? Object.values(value) : []
}

/** Depth is bounded by the schema's own limit. */
function nodesOf(value: unknown): number {
  if (value === undefined) return 0
  if (typeof value === 'string') return 1 + value.length / 64
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((nodes: number, part) => nodes + nodesOf(part), 1)
}

/** Only pointers from the root (`#`, `#/$defs/x`); anchors are left to the compiler. */
function resolvePointer(root: unknown, reference: string): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined
  let found: unknown = root
  for (const step of reference.split('/').slice(1)) {
    const key = plainText(step).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as Readonly<Record<string, unknown>>)[key]
  }
  return found
}

function plainText(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}
