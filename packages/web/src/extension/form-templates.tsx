// How fields stand together: one below the other, and what belongs together in a frame.

import { Fieldset, Stack, Text } from '@mantine/core'
import type { FieldErrorProps, ObjectFieldTemplateProps, TemplatesType } from '@rjsf/utils'
import type { ReactElement } from 'react'

export const formTemplates: Partial<TemplatesType> = {
  ObjectFieldTemplate: Fields,
  FieldErrorTemplate: GroupErrors,
}

function Fields({ title, description, properties, fieldPathId }: ObjectFieldTemplateProps): ReactElement {
  const fields = (
    <Stack gap="sm">{properties.filter(({ hidden }) => !hidden).map(({ content }) => content)}</Stack>
  )
  // Of the whole form the panel has said it already.
  if (fieldPathId.path.length === 0) return fields
  return (
    <Fieldset legend={title} variant="default" p="sm">
      {description !== undefined && description !== '' && (
        <Text size="xs" c="dimmed" mb="xs">
          {description}
        </Text>
      )}
      {fields}
    </Fieldset>
  )
}

/** A single field shows its mistakes itself. */
function GroupErrors({ errors = [], schema }: FieldErrorProps): ReactElement | null {
  if (errors.length === 0 || (schema.type !== 'object' && schema.type !== 'array')) return null
  return (
    <Text size="xs" c="var(--mantine-color-error)" role="alert">
      {errors.map(String).join(', ')}
    </Text>
  )
}
