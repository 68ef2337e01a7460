// Where toasts appear. What draws them is loaded with the first of them.

import { useNotifications } from '@mantine/notifications'
import { lazy, type ReactElement, Suspense, useEffect, useState } from 'react'

const Toaster = lazy(async () => ({ default: (await import('./toaster.tsx')).Toaster }))

export function Toasts(): ReactElement | null {
  const { notifications } = useNotifications()
  const [wanted, setWanted] = useState(false)
  useEffect(() => {
    if (notifications.length > 0) setWanted(true)
  }, [notifications.length])
  if (!wanted) return null
  return (
    <Suspense fallback={null}>
      <Toaster />
    </Suspense>
  )
}
