// Tells the form library which of our widgets draws which field.

import type { UiSchema } from '@rjsf/utils'
import { widgetOf } from './field-look.ts'
import { isObject, type JsonSchema } from './json-schema.ts'

export function lookOf(schema: JsonSchema): UiSchema {
  const { properties, items } = schema
  const widget = widgetOf(schema)
  if (widget === 'list' || widget === 'json') return { 'ui:field': widget }
  return {
    'ui:submitButtonOptions': { norender: true },
    ...(widget !== 'plain' && { 'ui:widget': widget }),
    ...(properties &&
      Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, lookOf(field)]))),
    ...(isObject(items) && { items: lookOf(items) }),
    ...choicesOf(schema),
  }
}

function choicesOf({ anyOf, oneOf }: JsonSchema): UiSchema {
  return {
    ...(anyOf && { anyOf: anyOf.map(lookOf) }),
    ...(oneOf && { oneOf: oneOf.map(lookOf) }),
  }
}
