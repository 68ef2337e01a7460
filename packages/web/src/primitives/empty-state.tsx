// What stands where there is nothing yet: why, and what to do about it.

import { Stack, Text, Title } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import type { ReactElement, ReactNode } from 'react'

export function EmptyState({
  icon: Icon,
  title,
  children,
  action,
}: {
  readonly icon: TablerIcon
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}): ReactElement {
  return (
    <Stack align="center" gap={6} py="xl" px="md" ta="center">
      <Icon size={30} stroke={1.4} color="var(--mantine-primary-color-filled)" aria-hidden />
      <Title order={3}>{title}</Title>
      {children !== undefined && (
        <Text size="sm" c="dimmed" maw={420}>
          {children}
        </Text>
      )}
      {action}
    </Stack>
  )
}
