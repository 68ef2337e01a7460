// Draws toasts.

import './later-styles.ts'
import { Notifications } from '@mantine/notifications'
import type { ReactElement } from 'react'

export function Toaster(): ReactElement {
  return <Notifications position="bottom-right" limit={4} />
}
