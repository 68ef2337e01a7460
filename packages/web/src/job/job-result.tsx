// What came of a job: its figure drawn, its data to look through, or its error.

import { Alert, Code, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { JobView } from '@millrace/protocol'
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react'
import type { ReactElement } from 'react'
import { Ago } from '../primitives/ago.tsx'
import { CopyButton } from '../primitives/copy-button.tsx'
import { IconButton } from '../primitives/icon-button.tsx'
import { JsonView } from '../primitives/json-view.tsx'
import { saveText } from '../primitives/save-text.ts'
import { figureOf, withoutFigure } from './figure.ts'
import { FigurePlot } from './figure-plot.tsx'

export function JobResult({ job }: { readonly job: JobView }): ReactElement | null {
  const { result, id } = job
  if (result === undefined) return null
  const figure = figureOf(result)
  const text = JSON.stringify(result, null, 2)
  return (
    <Paper p="md" bg="var(--raised)" component="section" aria-label="Result">
      <Group justify="space-between" mb="xs">
        <Title order={2}>Result</Title>
        <Group gap={4}>
          <CopyButton text={text} label="Copy as JSON" />
          <IconButton
            label="Download as JSON"
            icon={IconDownload}
            onClick={() => saveText(`${id}.json`, text, 'application/json')}
          />
        </Group>
      </Group>
      <Stack>
        {figure && <FigurePlot figure={figure} />}
        <JsonView value={figure ? withoutFigure(result) : result} />
      </Stack>
    </Paper>
  )
}

export function JobErrorCard({ job }: { readonly job: JobView }): ReactElement | null {
  const { error, seen, deadLetter, status } = job
  // Of a job that goes on it is the error of an attempt before.
  if (!error || status !== 'failed') return null
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle size={18} />}
      title={error.name ?? 'It failed'}
    >
      <Stack gap="xs">
        <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{error.message}</Text>
        {seen && seen.count > 1 && (
          <Text size="sm">
            Seen <strong>{seen.count} times</strong> in this room, first <Ago at={seen.firstAt} />.
          </Text>
        )}
        {deadLetter && (
          <Text size="sm">It was given up after its last attempt, and is kept as a dead letter.</Text>
        )}
        {error.stack !== undefined && (
          <details>
            <summary>Where it happened</summary>
            <Code block fz="xs" mt={6} tabIndex={0}>
              {error.stack}
            </Code>
          </details>
        )}
      </Stack>
    </Alert>
  )
}
