// What the form library asks of a validator, answered by our own check.

import {
  type ErrorSchema,
  ErrorSchemaBuilder,
  type RJSFValidationError,
  type ValidatorType,
} from '@rjsf/utils'
import { checkData, fits } from './check-data.ts'
import type { JsonSchema } from './json-schema.ts'

export const formValidator: ValidatorType = {
  validateFormData(data, schema) {
    const builder = new ErrorSchemaBuilder()
    const errors: RJSFValidationError[] = checkData(schema as JsonSchema, data).map(({ path, message }) => {
      builder.addErrors(message, [...path])
      return { stack: `${path.join('.')} ${message}`.trim(), message, property: path.join('.') }
    })
    return { errors, errorSchema: builder.ErrorSchema as ErrorSchema }
  },
  isValid: (schema, data) => fits(schema as JsonSchema, data),
  rawValidation: (schema, data) => {
    const errors = checkData(schema as JsonSchema, data)
    return errors.length === 0 ? {} : { errors: errors as never[] }
  },
}

/** What the server found, at the fields it is about. Pointers are those of JSON: `/steps`, `/cell/0`. */
export function errorsOfDetails(details: Readonly<Record<string, unknown>>): ErrorSchema {
  const builder = new ErrorSchemaBuilder()
  const found = Array.isArray(details['errors']) ? (details['errors'] as unknown[]) : []
  for (const each of found) {
    const { pointer = '', message = 'is not valid' } = each as { pointer?: string; message?: string }
    builder.addErrors(message, pointer.split('/').slice(1))
  }
  return builder.ErrorSchema as ErrorSchema
}
