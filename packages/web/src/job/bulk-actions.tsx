// The same for all jobs that a filter finds: counted before anything happens, and confirmed.

import { Button, Group, Menu, Modal, Stack, Text, Tooltip } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ManyDone } from '@millrace/protocol'
import { IconBan, IconRepeat, IconStack2 } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { ProblemNote } from '../primitives/problem-note.tsx'
import type { JobFilter } from './job-filter.ts'
import { type ManyVerb, manyJobs } from './many-jobs.ts'

interface BulkProps {
  readonly room: string | null
  readonly filter: JobFilter
}

export function BulkActions({ room, filter }: BulkProps): ReactElement {
  const [verb, setVerb] = useState<ManyVerb | null>(null)
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Tooltip
            label={
              room === null
                ? 'Choose a room first: many jobs are met room by room'
                : 'All that the filter finds'
            }
          >
            <Button
              size="xs"
              variant="default"
              leftSection={<IconStack2 size={14} />}
              {...(room === null && { 'data-disabled': true })}
              aria-disabled={room === null}
              onClick={(event) => room === null && event.preventDefault()}
            >
              All of these
            </Button>
          </Tooltip>
        </Menu.Target>
        {room !== null && (
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconBan size={15} />} onClick={() => setVerb('cancel')}>
              Cancel…
            </Menu.Item>
            <Menu.Item leftSection={<IconRepeat size={15} />} onClick={() => setVerb('retry')}>
              Retry…
            </Menu.Item>
          </Menu.Dropdown>
        )}
      </Menu>
      {room !== null && verb !== null && (
        <Confirm room={room} filter={filter} verb={verb} onClose={() => setVerb(null)} />
      )}
    </>
  )
}

interface ConfirmProps {
  readonly room: string
  readonly filter: JobFilter
  readonly verb: ManyVerb
  readonly onClose: () => void
}

const words = { cancel: { title: 'Cancel', done: 'cancelled' }, retry: { title: 'Retry', done: 'run again' } }

function Confirm({ room, filter, verb, onClose }: ConfirmProps): ReactElement {
  const { title, done } = words[verb]
  const count = useQuery({
    queryKey: ['many', room, verb, filter],
    queryFn: () => manyJobs({ verb, room, filter, dryRun: true }),
    gcTime: 0,
    staleTime: 0,
  })
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => manyJobs({ verb, room, filter, dryRun: false }),
    onSuccess: (all) => {
      notifications.show({ message: outcomeOf(all, done), withBorder: true })
      onClose()
    },
  })
  const matched = count.data?.matched ?? 0
  return (
    <Modal opened onClose={onClose} title={`${title} many jobs`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack>
        {(count.error ?? error) && <ProblemNote fault={count.error ?? error} />}
        {count.isPending && <Text c="dimmed">Counting…</Text>}
        {count.data && (
          <Text>
            The filter finds <strong>{matched.toLocaleString()}</strong> in {room}
            {count.data.refused.length > 0 && `; ${count.data.refused.length} of them cannot be ${done}`}.
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Leave them
          </Button>
          <Button
            color={verb === 'cancel' ? 'red' : 'race'}
            disabled={matched === 0}
            loading={isPending}
            onClick={() => mutate()}
          >
            {title} {matched.toLocaleString()}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function outcomeOf({ done, refused }: ManyDone, word: string): string {
  const others = refused.length === 0 ? '' : `; ${refused.length.toLocaleString()} could not be`
  return `${done.toLocaleString()} ${done === 1 ? 'job was' : 'jobs were'} ${word}${others}.`
}
