// Fields that hold more than one value: lists that are typed or pasted as text, and JSON where nobody knows better.

import { JsonInput, Textarea } from '@mantine/core'
import type { FieldProps, RegistryFieldsType } from '@rjsf/utils'
import { type ReactElement, useState } from 'react'
import type { JsonSchema } from './json-schema.ts'
import { isTextOf, jsonOfText, textOfJson } from './json-text.ts'
import { listOfText, textOfList } from './list-text.ts'

export const formFields: RegistryFieldsType = { list: ListField, json: JsonField }

function wrapperOf({ schema, name, required, rawErrors }: FieldProps) {
  const { title, description } = schema as JsonSchema
  return { label: title ?? name, description, error: rawErrors?.[0], withAsterisk: required === true }
}

function ListField(props: FieldProps): ReactElement {
  const { formData, onChange, fieldPathId, schema, disabled = false, readonly = false } = props
  const list = Array.isArray(formData) ? (formData as readonly unknown[]) : []
  const [text, setText] = useState(textOfList(list))
  const type = (schema as JsonSchema).items?.type
  // What was typed stays as it was typed, unless the list was changed by somebody else.
  const isOwn = textOfList(listOfText(text, type)) === textOfList(list)
  return (
    <Textarea
      {...wrapperOf(props)}
      id={fieldPathId.$id}
      autosize
      minRows={1}
      maxRows={6}
      placeholder={type === 'string' ? 'one per line' : 'such as 1, 2.5, 4: type or paste'}
      value={isOwn ? text : textOfList(list)}
      onChange={(event) => {
        setText(event.currentTarget.value)
        onChange(listOfText(event.currentTarget.value, type), fieldPathId.path)
      }}
      disabled={disabled || readonly}
    />
  )
}

function JsonField(props: FieldProps): ReactElement {
  const { formData, onChange, fieldPathId, disabled = false, readonly = false } = props
  const [text, setText] = useState(textOfJson(formData))
  return (
    <JsonInput
      {...wrapperOf(props)}
      id={fieldPathId.$id}
      autosize
      minRows={2}
      maxRows={12}
      formatOnBlur
      placeholder="JSON"
      validationError="This is not JSON yet."
      value={isTextOf(text, formData) ? text : textOfJson(formData)}
      onChange={(next) => {
        setText(next)
        onChange(jsonOfText(next), fieldPathId.path)
      }}
      disabled={disabled || readonly}
    />
  )
}
