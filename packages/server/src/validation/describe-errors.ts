// What is wrong with data, in words for people: where, as a JSON pointer, and what. A missing property is named where it
// should be, so that a form can show the error at its field.

import { pointerToken, type Refusal, refuse } from '@millrace/domain'
import type { ErrorObject } from 'ajv'

export interface DataError {
  /** Which of several values. */
  readonly index?: number
  readonly pointer: string
  readonly message: string
}

export const maxErrors: number = 20
const maxText = 300
const maxPointer = 500

export function describeError({ instancePath, keyword, params, message }: ErrorObject): DataError {
  const at = (key: unknown): string => `${instancePath}/${pointerToken(String(key))}`
  switch (keyword) {
    case 'required':
      return bounded(at(params.missingProperty), 'is required')
    case 'additionalProperties':
      return bounded(at(params.additionalProperty), 'is not a known property')
    case 'unevaluatedProperties':
      return bounded(at(params.unevaluatedProperty), 'is not a known property')
    case 'enum':
      return bounded(instancePath, `must be one of ${listed(params.allowedValues)}`)
    case 'const':
      return bounded(instancePath, `must be ${JSON.stringify(params.allowedValue)}`)
    case 'anyOf':
      return bounded(instancePath, 'fits none of the alternatives')
    case 'oneOf':
      return bounded(
        instancePath,
        params.passingSchemas ? 'fits more than one alternative' : 'fits none of the alternatives',
      )
    default:
      return bounded(instancePath, message ?? `does not fit ${keyword}`)
  }
}

export function refuseData(errors: readonly DataError[]): Refusal {
  const [first] = errors
  if (first === undefined) throw new TypeError('data is refused for an error')
  const which = first.index === undefined ? '' : `value ${first.index}: `
  const more = errors.length > 1 ? `, and ${errors.length - 1} more` : ''
  return refuse('data_invalid', `${which}${first.pointer || 'the data'} ${first.message}${more}.`, { errors })
}

function bounded(pointer: string, message: string): DataError {
  return { pointer: pointer.slice(0, maxPointer), message: message.slice(0, maxText) }
}

function listed(values: unknown): string {
  const texts = (Array.isArray(values) ? values : []).slice(0, 10).map((value) => JSON.stringify(value))
  return Array.isArray(values) && values.length > 10 ? `${texts.join(', ')}, …` : texts.join(', ')
}
