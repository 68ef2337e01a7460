// The same for all jobs that a filter finds: counted before anything happens, and confirmed.

import { Button, Group, Menu, Modal, Stack, Text, Tooltip } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ManyDone } from '@millrace/protocol'
import { IconBan, IconRepeat, IconStack2 } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { ProblemNote } from '../primitives/problem-note.tsx'
import type { JobFilter } from './job-filter.ts'
import { actable, type ManyVerb, manyJobs } from './many-jobs.ts'

interface BulkProps {
  /** Where the filter looks and one may do more than look. */
  readonly rooms: readonly string[]
  readonly filter: JobFilter
}

export function BulkActions({ rooms, filter }: BulkProps): ReactElement {
  const [verb, setVerb] = useState<ManyVerb | null>(null)
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Tooltip label="All that the filter finds">
            <Button
              size="xs"
              variant="default"
              leftSection={<IconStack2 size={14} />}
              disabled={rooms.length === 0}
            >
              All of these
            </Button>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconBan size={15} />} onClick={() => setVerb('cancel')}>
            Cancel…
          </Menu.Item>
          <Menu.Item leftSection={<IconRepeat size={15} />} onClick={() => setVerb('retry')}>
            Retry…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {verb !== null && <Confirm rooms={rooms} filter={filter} verb={verb} onClose={() => setVerb(null)} />}
    </>
  )
}

interface ConfirmProps extends BulkProps {
  readonly verb: ManyVerb
  readonly onClose: () => void
}

const words = { cancel: { title: 'Cancel', done: 'cancelled' }, retry: { title: 'Retry', done: 'retried' } }

function Confirm({ rooms, filter, verb, onClose }: ConfirmProps): ReactElement {
  const { title, done } = words[verb]
  const count = useQuery({
    queryKey: ['many', rooms, verb, filter],
    queryFn: () => manyJobs({ verb, rooms, filter, dryRun: true }),
    gcTime: 0,
    staleTime: 0,
  })
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => manyJobs({ verb, rooms, filter, dryRun: false }),
    onSuccess: (all) => {
      notifications.show({ message: outcomeOf(all, done), withBorder: true })
      onClose()
    },
    // Some rooms may have had their turn.
    onError: () => void count.refetch(),
  })
  const possible = count.data ? actable(count.data) : 0
  return (
    <Modal opened onClose={onClose} title={`${title} many jobs`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack>
        {(count.error ?? error) && <ProblemNote fault={count.error ?? error} />}
        {count.isPending && <Text c="dimmed">Counting…</Text>}
        {count.data && (
          <Text>
            The filter finds <strong>{count.data.matched.toLocaleString()}</strong>
            {whereOf(count.data.rooms)}
            {count.data.refused.length > 0 &&
              `; ${count.data.refused.length.toLocaleString()} of them cannot be ${done}`}
            .
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Leave them
          </Button>
          <Button
            color={verb === 'cancel' ? 'red' : 'race'}
            disabled={possible === 0}
            loading={isPending}
            onClick={() => mutate()}
          >
            {title} {possible.toLocaleString()}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function whereOf(rooms: readonly string[]): string {
  if (rooms.length === 0) return ''
  return rooms.length === 1 ? ` in ${rooms[0]}` : ` in ${rooms.length.toLocaleString()} rooms`
}

function outcomeOf({ done, refused }: ManyDone, word: string): string {
  const others = refused.length === 0 ? '' : `; ${refused.length.toLocaleString()} could not be`
  return `${done.toLocaleString()} ${done === 1 ? 'job was' : 'jobs were'} ${word}${others}.`
}
