// One extension looked at closely: how it does room by room, its form, its versions and who may serve it.

import { Badge, Button, Group, Modal, Skeleton, Stack, Tabs, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { routes } from '@millrace/protocol'
import { IconPlayerPause, IconPlayerPlay, IconRefresh } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { call } from '../connection/api.ts'
import { session } from '../connection/session.ts'
import { useSignal } from '../connection/signal.ts'
import { stir } from '../connection/stir.ts'
import { ProblemNote, problemText } from '../primitives/problem-note.tsx'
import { useRooms } from '../room/room-queries.ts'
import { Go } from '../shell/go.tsx'
import { placeOfRun } from '../shell/places.ts'
import { Admission } from './admission.tsx'
import { closedBreaker, resetBreaker } from './breaker.ts'
import { BreakerMark } from './breaker-mark.tsx'
import { ExtensionFigures } from './extension-figures.tsx'
import { type Detail, useExtensionDetail } from './extension-overview.ts'
import type { ExtensionSum } from './extension-sums.ts'
import { ExtensionVersions } from './extension-versions.tsx'
import { SchemaTable } from './schema-table.tsx'

interface DialogProps {
  readonly sum: ExtensionSum
  readonly onClose: () => void
}

export function ExtensionDialog({ sum, onClose }: DialogProps): ReactElement {
  const { data, error, refetch } = useExtensionDetail(sum)
  return (
    <Modal
      opened
      onClose={onClose}
      size={820}
      title={`${sum.category} / ${sum.name}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {error && <ProblemNote fault={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={260} />}
      {data && <Opened sum={sum} detail={data} />}
    </Modal>
  )
}

interface PartProps {
  readonly sum: ExtensionSum
  readonly detail: Detail
}

function Opened({ sum, detail }: PartProps): ReactElement {
  const may = useMayManage(sum, detail)
  const { scope, category, name } = sum
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Badge variant="default">{sum.home === null ? 'every room' : `only in ${sum.home}`}</Badge>
          <Text size="sm" c="dimmed">
            of {detail.owner}
          </Text>
          <Go to={placeOfRun(sum.via, `${scope}/${category}/${name}`)} fz="sm">
            Run it in {sum.via}
          </Go>
        </Group>
        {may && <Switches sum={sum} detail={detail} />}
      </Group>
      <BreakerMark breaker={detail.breaker ?? closedBreaker} />
      <Tabs defaultValue="figures" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="figures">How it does</Tabs.Tab>
          <Tabs.Tab value="schema">Form</Tabs.Tab>
          <Tabs.Tab value="versions">Versions ({detail.versions.length})</Tabs.Tab>
          <Tabs.Tab value="admission">Who may serve it</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="figures">
          <ExtensionFigures sum={sum} />
        </Tabs.Panel>
        <Tabs.Panel value="schema">
          <SchemaTable schema={detail.schema} />
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <ExtensionVersions detail={detail} />
        </Tabs.Panel>
        <Tabs.Panel value="admission">
          <Admission sum={sum} detail={detail} may={may} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}

/** As the server has it: its owner, who owns its room, and admins. */
function useMayManage({ home }: ExtensionSum, { owner }: Detail): boolean {
  const who = useSignal(session)
  const { data: rooms = [] } = useRooms()
  if (who?.role === 'admin' || who?.user === owner) return true
  return home !== null && rooms.some(({ name, standing }) => name === home && standing === 'owner')
}

function Switches({ sum, detail }: PartProps): ReactElement {
  const { via: room, scope, category, name } = sum
  const params = { room, scope, category, name }
  const client = useQueryClient()
  const settled = {
    onSuccess: () => {
      stir()
      void client.invalidateQueries({ queryKey: ['extension-lists'] })
    },
    onError: (fault: Error) => notifications.show({ color: 'red', message: problemText(fault) }),
  }
  const pausing = useMutation({
    mutationFn: () => call(detail.paused ? routes.resumeExtension : routes.pauseExtension, { params }),
    ...settled,
  })
  const resetting = useMutation({ mutationFn: () => resetBreaker(params), ...settled })
  const open = (detail.breaker ?? closedBreaker).state !== 'closed'
  return (
    <Group gap="xs">
      {open && (
        <Button
          size="xs"
          leftSection={<IconRefresh size={14} />}
          loading={resetting.isPending}
          onClick={() => resetting.mutate()}
        >
          It is mended: reset
        </Button>
      )}
      <Button
        size="xs"
        variant="default"
        leftSection={detail.paused ? <IconPlayerPlay size={14} /> : <IconPlayerPause size={14} />}
        loading={pausing.isPending}
        onClick={() => pausing.mutate()}
      >
        {detail.paused ? 'Resume' : 'Pause'}
      </Button>
    </Group>
  )
}
