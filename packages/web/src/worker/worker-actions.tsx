// What can be done about a worker: nothing new for it, jobs again, or away with it.

import { Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import type { WorkerView } from '@millrace/protocol'
import { IconPlayerPlay, IconPlugX, IconProgressDown } from '@tabler/icons-react'
import type { ReactElement } from 'react'
import { session } from '../connection/session.ts'
import { useSignal } from '../connection/signal.ts'
import { Confirm } from '../primitives/confirm.tsx'
import { IconButton } from '../primitives/icon-button.tsx'
import { problemText } from '../primitives/problem-note.tsx'
import { useWorkerDeed } from './worker-queries.ts'

export function WorkerActions({ worker }: { readonly worker: WorkerView }): ReactElement | null {
  const who = useSignal(session)
  const deed = useWorkerDeed(worker.id)
  if (who?.role !== 'admin' && who?.user !== worker.user) return null
  const drain = worker.draining ? 'undrain' : 'drain'
  const act = (): void =>
    deed.mutate(drain, {
      onError: (fault) => notifications.show({ color: 'red', message: problemText(fault) }),
    })
  return (
    <Group gap={6} wrap="nowrap">
      <Button
        size="compact-xs"
        variant="default"
        loading={deed.isPending}
        leftSection={worker.draining ? <IconPlayerPlay size={13} /> : <IconProgressDown size={13} />}
        aria-label={worker.draining ? `Give ${worker.id} jobs again` : `Drain ${worker.id}`}
        onClick={act}
      >
        {worker.draining ? 'Give it jobs' : 'Drain'}
      </Button>
      <Disconnect worker={worker} />
    </Group>
  )
}

function Disconnect({ worker: { id, running } }: { readonly worker: WorkerView }): ReactElement {
  const [opened, { open, close }] = useDisclosure()
  const { mutate, isPending, error } = useWorkerDeed(id)
  const jobs = running === 1 ? 'The job it runs goes' : `The ${running} jobs it runs go`
  return (
    <>
      <IconButton label={`Disconnect ${id}`} icon={IconPlugX} onClick={open} />
      {opened && (
        <Confirm
          title={`Disconnect ${id}`}
          act="Disconnect"
          danger
          pending={isPending}
          fault={error}
          onAct={() => mutate('disconnect', { onSuccess: close })}
          onClose={close}
        >
          It is sent away at once. {running > 0 && `${jobs} to others and begin again. `}
          Its process may register again; to let it finish first, drain it.
        </Confirm>
      )}
    </>
  )
}
