// A form made from a schema. It is a file of its own because the library behind it is large, and is loaded when a form is
// first shown.

import { withTheme } from '@rjsf/core'
import { generateTemplates } from '@rjsf/mantine/lib/templates/index.js'
import type { ErrorSchema, RJSFSchema } from '@rjsf/utils'
import { type ReactElement, type ReactNode, useMemo } from 'react'
import { formFields } from './form-fields.tsx'
import { lookOf } from './form-look.ts'
import { formTemplates } from './form-templates.tsx'
import { formValidator } from './form-validator.ts'
import { formWidgets } from './form-widgets.tsx'
import type { JsonSchema } from './json-schema.ts'

const Form = withTheme({ templates: { ...generateTemplates(), ...formTemplates }, widgets: formWidgets })

export interface SchemaFormProps {
  /** Normalised. */
  readonly schema: JsonSchema
  readonly data: unknown
  readonly onChange?: (data: unknown) => void
  readonly onSubmit?: (data: unknown) => void
  readonly errors?: ErrorSchema
  readonly readonly?: boolean
  readonly children?: ReactNode
}

export function SchemaForm(props: SchemaFormProps): ReactElement {
  const { schema, data, onChange, onSubmit, errors, readonly = false, children } = props
  const look = useMemo(() => lookOf(schema), [schema])
  return (
    <Form
      schema={schema as RJSFSchema}
      uiSchema={look}
      formData={data}
      validator={formValidator}
      fields={formFields}
      onChange={({ formData }) => onChange?.(formData)}
      onSubmit={({ formData }) => onSubmit?.(formData)}
      {...(errors && { extraErrors: errors })}
      idPrefix="field"
      readonly={readonly}
      showErrorList={false}
      noHtml5Validate
      focusOnFirstError
      liveValidate="onChange"
    >
      {children ?? <span />}
    </Form>
  )
}
