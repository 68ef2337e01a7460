// What every widget of a form has: its label, what it means, what is wrong with it.

import type { WidgetProps } from '@rjsf/utils'
import type { JsonSchema } from './json-schema.ts'

export interface Wrapper {
  readonly id: string
  readonly label: string | undefined
  readonly description: string | undefined
  readonly error: string | undefined
  readonly withAsterisk: boolean
}

export function wrapperOf({ id, label, hideLabel, required, schema, rawErrors }: WidgetProps): Wrapper {
  return {
    id,
    label: hideLabel === true ? undefined : label,
    description: (schema as JsonSchema).description,
    error: rawErrors?.[0],
    withAsterisk: required === true && (schema as JsonSchema).default === undefined,
  }
}
