// What went wrong, in the server's own words, and a way to try again where that may help.

import { Alert, Button, Group } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactElement } from 'react'
import { ApiProblem } from '../connection/api-problem.ts'

export function problemText(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault)
}

export function ProblemNote({
  fault,
  onRetry,
}: {
  readonly fault: unknown
  readonly onRetry?: () => void
}): ReactElement {
  const code = fault instanceof ApiProblem ? fault.code : 'fault'
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle size={18} />}
      title={problemText(fault)}
      role="alert"
    >
      <Group gap="xs">
        <code>{code}</code>
        {onRetry && (
          <Button size="compact-xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  )
}
