// Counts what would be redriven before it is.

import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ManyDone } from '@millrace/protocol'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { Confirm } from '../primitives/confirm.tsx'
import { Go } from '../shell/go.tsx'
import { places } from '../shell/places.ts'
import { byRoom, type LetterFilter, redriveAll, redriveChosen, redrivenText } from './redrive.ts'
import { lettersKey } from './use-dead-letters.ts'

interface DialogProps {
  /** Null: all that the filter finds in the rooms. */
  readonly chosen: readonly { readonly room: string; readonly id: string }[] | null
  readonly rooms: readonly string[]
  readonly filter: LetterFilter
  readonly onDone: () => void
  readonly onClose: () => void
}

export function RedriveDialog({ chosen, rooms, filter, onDone, onClose }: DialogProps): ReactElement {
  const client = useQueryClient()
  const counted = useQuery({
    queryKey: ['redrive-count', rooms, filter],
    queryFn: () => redriveAll(rooms, filter, true),
    enabled: chosen === null,
    gcTime: 0,
    staleTime: 0,
  })
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => (chosen === null ? redriveAll(rooms, filter, false) : redriveChosen(byRoom(chosen))),
    onSuccess: (done) => {
      notifications.show({ message: <Redriven done={done} />, withBorder: true })
      void client.invalidateQueries({ queryKey: lettersKey })
      onDone()
      onClose()
    },
  })
  const count = chosen?.length ?? counted.data?.matched ?? 0
  const refused = chosen === null ? (counted.data?.refused.length ?? 0) : 0
  return (
    <Confirm
      title="Redrive dead letters"
      act={`Redrive ${count.toLocaleString()}`}
      leave="Leave them"
      disabled={count === 0}
      pending={isPending}
      fault={error ?? counted.error}
      onAct={() => mutate()}
      onClose={onClose}
    >
      {chosen === null && counted.isPending ? (
        <Text c="dimmed">Counting…</Text>
      ) : (
        <>
          <strong>{count.toLocaleString()}</strong> {count === 1 ? 'job is' : 'jobs are'} submitted again with
          the data {count === 1 ? 'it' : 'they'} had, checked against the form as it is now
          {refused > 0 && `; ${refused.toLocaleString()} of them cannot be`}.
        </>
      )}
    </Confirm>
  )
}

function Redriven({ done }: { readonly done: ManyDone }): ReactElement {
  return (
    <>
      {redrivenText(done)} <Go to={places.jobs}>Show the jobs</Go>
    </>
  )
}
