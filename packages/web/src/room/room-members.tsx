// The way to who belongs to a room, for those who say so.

import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { RoomView } from '@millrace/protocol'
import { IconUsers } from '@tabler/icons-react'
import { lazy, type ReactElement, Suspense } from 'react'

const MembersDialog = lazy(async () => ({ default: (await import('./members-dialog.tsx')).MembersDialog }))

export function RoomMembers({ room }: { readonly room: RoomView }): ReactElement {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" size="xs" leftSection={<IconUsers size={15} />} onClick={open}>
        Members
      </Button>
      <Suspense fallback={null}>{opened && <MembersDialog room={room} onClose={close} />}</Suspense>
    </>
  )
}
