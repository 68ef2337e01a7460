// The schema of an extension to read: its fields, and the whole of it as it was registered.

import { Badge, Group, Stack, Text } from '@mantine/core'
import type { ReactElement } from 'react'
import { CopyButton } from '../primitives/copy-button.tsx'
import { JsonView } from '../primitives/json-view.tsx'
import { type Column, RowTable } from '../primitives/row-table.tsx'
import type { JsonSchema } from './json-schema.ts'
import { type SchemaField, schemaFields } from './schema-fields.ts'

export function SchemaTable({
  schema,
}: {
  readonly schema: Readonly<Record<string, unknown>>
}): ReactElement {
  const { description } = schema as JsonSchema
  const fields = schemaFields(schema as JsonSchema)
  return (
    <Stack gap="sm">
      {description !== undefined && <Text size="sm">{description}</Text>}
      {fields.length === 0 ? (
        <Text size="sm" c="dimmed">
          It has no fields: it is run as it is.
        </Text>
      ) : (
        <RowTable label="Fields" columns={columns} rows={fields} keyOf={({ path }) => path} />
      )}
      <details>
        <Text component="summary" size="sm" style={{ cursor: 'pointer' }}>
          The whole schema
        </Text>
        <Group justify="flex-end">
          <CopyButton text={JSON.stringify(schema, null, 2)} label="Copy the schema" />
        </Group>
        <JsonView value={schema} />
      </details>
    </Stack>
  )
}

const columns: readonly Column<SchemaField>[] = [
  {
    name: 'Field',
    head: true,
    cell: ({ path, required }) => (
      <Group gap={6} wrap="nowrap">
        <code>{path}</code>
        {required && (
          <Badge size="xs" variant="default">
            required
          </Badge>
        )}
      </Group>
    ),
  },
  { name: 'What fits', cell: ({ fits }) => fits },
  { name: 'Preset', cell: ({ preset }) => preset !== null && <code>{preset}</code> },
  { name: 'About', cell: ({ about }) => about },
]
