// Everything that stands around the pages: theme, what has been fetched, toasts, and the pages themselves.

import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { queryClient } from '../connection/query-client.ts'
import { router } from './router.tsx'
import { cssVariables, theme } from './theme.ts'
import { Toasts } from './toasts.tsx'

export function App(): ReactElement {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      // All of them are made here, so that the file with Mantine's own need not be loaded first.
      deduplicateCssVariables={false}
    >
      <QueryClientProvider client={queryClient}>
        <Toasts />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  )
}
