// The way to connecting a worker.

import { Button, type ButtonProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlugConnected } from '@tabler/icons-react'
import { lazy, type ReactElement, Suspense } from 'react'

const ConnectDialog = lazy(async () => ({ default: (await import('./connect-dialog.tsx')).ConnectDialog }))

interface ConnectProps {
  readonly room: string
  readonly variant?: ButtonProps['variant']
}

export function ConnectWorker({ room, variant = 'default' }: ConnectProps): ReactElement {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant={variant} size="xs" leftSection={<IconPlugConnected size={15} />} onClick={open}>
        Connect a worker
      </Button>
      <Suspense fallback={null}>{opened && <ConnectDialog room={room} onClose={close} />}</Suspense>
    </>
  )
}
