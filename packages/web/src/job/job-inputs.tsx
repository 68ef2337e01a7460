// What a job was given, with the names that its form has for it.

import { Group, Paper, Text, Title } from '@mantine/core'
import type { JobView } from '@millrace/protocol'
import type { ReactElement } from 'react'
import { useExtensions } from '../extension/extension-queries.ts'
import { unitOf } from '../extension/field-look.ts'
import { isObject, type JsonSchema } from '../extension/json-schema.ts'
import { normaliseSchema, titleOf } from '../extension/normalise-schema.ts'
import { CopyButton } from '../primitives/copy-button.tsx'
import { JsonView } from '../primitives/json-view.tsx'
import { numberText } from '../primitives/plot-scale.ts'
import styles from './job-inputs.module.css'

export function JobInputs({ job }: { readonly job: JobView }): ReactElement {
  const { data } = job
  const fields = useFields(job)
  return (
    <Paper p="md" bg="var(--raised)" component="section" aria-label="Input">
      <Group justify="space-between" mb="xs">
        <Title order={2}>Input</Title>
        <CopyButton text={JSON.stringify(data, null, 2)} label="Copy as JSON" />
      </Group>
      {isObject(data) && Object.keys(data).length > 0 ? (
        <dl className={styles.fields}>
          {Object.entries(data).map(([name, value]) => (
            <Field key={name} name={name} value={value} schema={fields[name]} />
          ))}
        </dl>
      ) : (
        <JsonView value={data} />
      )}
    </Paper>
  )
}

/** Of the extension as it is now: what it was called then, the job does not know. */
function useFields({ room, scope, category, extension }: JobView): Readonly<Record<string, JsonSchema>> {
  const { data: extensions = [] } = useExtensions(room)
  const found = extensions.find(
    (each) => each.scope === scope && each.category === category && each.name === extension,
  )
  return found ? (normaliseSchema(found.schema as JsonSchema).properties ?? {}) : {}
}

interface FieldProps {
  readonly name: string
  readonly value: unknown
  readonly schema: JsonSchema | undefined
}

function Field({ name, value, schema = {} }: FieldProps): ReactElement {
  const unit = unitOf(schema)
  return (
    <div className={styles.field}>
      <dt title={schema.description}>{schema.title ?? titleOf(name)}</dt>
      <dd>
        {typeof value === 'object' && value !== null ? (
          <JsonView value={value} />
        ) : (
          <Plain value={value} unit={unit} />
        )}
      </dd>
    </div>
  )
}

function Plain({ value, unit }: { readonly value: unknown; readonly unit: string | null }): ReactElement {
  const text = typeof value === 'number' ? numberText(value) : String(value ?? 'none')
  return (
    <Text component="span" size="sm" className="numbers" style={{ overflowWrap: 'anywhere' }}>
      {unit === null ? text : `${text} ${unit}`}
    </Text>
  )
}
