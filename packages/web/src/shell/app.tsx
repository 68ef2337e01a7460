// Everything that stands around the pages: theme, what has been fetched, toasts, and the pages themselves.

import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { queryClient } from '../connection/query-client.ts'
import { router } from './router.tsx'
import { cssVariables, theme } from './theme.ts'

export function App(): ReactElement {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" limit={4} />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  )
}
