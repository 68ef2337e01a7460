// A page of its own: its name, a sentence about it, what can be done on it, and then its content.

import { Container, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'
import { usePageTitle } from './use-page-title.ts'

interface PageProps {
  readonly title: string
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export function Page({ title, lead, actions, children }: PageProps): ReactElement {
  usePageTitle(title)
  return (
    <Container fluid px={{ base: 'sm', sm: 'lg' }} py="md" maw={1480}>
      <Stack gap="md">
        <Group justify="space-between" align="flex-end" gap="sm">
          <Stack gap={2}>
            <Title order={1}>{title}</Title>
            {lead !== undefined && <Text c="dimmed">{lead}</Text>}
          </Stack>
          {actions}
        </Group>
        {children}
      </Stack>
    </Container>
  )
}
