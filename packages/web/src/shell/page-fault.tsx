// A page that broke. A new version may have been installed while the tab was open: then its files are gone, and loading
// the page anew brings the present ones.

import { Button, Container, Stack } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { ProblemNote } from '../primitives/problem-note.tsx'

export function PageFault({ error }: ErrorComponentProps): ReactElement {
  return (
    <Container component="main" size="sm" py="xl">
      <Stack>
        <ProblemNote fault={error} />
        <Button variant="default" onClick={() => location.reload()}>
          Load the page again
        </Button>
      </Stack>
    </Container>
  )
}
