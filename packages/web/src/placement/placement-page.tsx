// How jobs find their workers: the network of the last pass, those before it, and what one more worker would change.

import { Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { PlacementView } from '@millrace/protocol'
import { IconRoute } from '@tabler/icons-react'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import { useStartedAt } from '../overview/counted-since.tsx'
import { Ago } from '../primitives/ago.tsx'
import { EmptyState } from '../primitives/empty-state.tsx'
import { ProblemNote } from '../primitives/problem-note.tsx'
import { useAllRooms } from '../room/use-all-rooms.ts'
import { Page } from '../shell/page.tsx'
import styles from './flow-table.module.css'
import { FlowTable } from './flow-table.tsx'
import { PassScrubber } from './pass-scrubber.tsx'
import { usePasses, usePlacement } from './placement-queries.ts'
import { WaitingList } from './waiting-list.tsx'
import { WhatIf } from './what-if.tsx'

const FlowPicture = lazy(async () => ({ default: (await import('./flow-picture.tsx')).FlowPicture }))

export function PlacementPage(): ReactElement {
  const rooms = useAllRooms()
  const [pass, setPass] = useState<number | null>(null)
  const { data, error, refetch } = usePlacement(pass)
  const { data: passes = [] } = usePasses()
  return (
    <Page
      title="Placement"
      lead="Which jobs go to which workers, decided whenever a job comes or a slot is free."
    >
      {error && <ProblemNote fault={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={320} />}
      {data && (
        <Paper component="section" aria-label="The network" bg="var(--raised)" p="md">
          <Stack gap="md">
            <Network view={data} pass={pass} />
            <PassScrubber passes={passes} pass={pass} onPass={setPass} />
          </Stack>
        </Paper>
      )}
      {data && data.nodes.length > 0 && <Tables view={data} />}
      <Paper component="section" aria-label="With one more worker" bg="var(--raised)" p="md">
        <WhatIf rooms={rooms} />
      </Paper>
    </Page>
  )
}

function Network({
  view,
  pass,
}: {
  readonly view: PlacementView
  readonly pass: number | null
}): ReactElement {
  const startedAt = useStartedAt()
  if (view.nodes.length === 0)
    return pass === null ? (
      <EmptyState icon={IconRoute} title="Nothing has been placed yet">
        {startedAt !== null && (
          <>
            The server started <Ago at={startedAt} />, and remembers no pass from before.{' '}
          </>
        )}
        As soon as a job of a room that you may see waits, the way it takes is drawn here: from its room over
        its extension to the workers that serve it. Jobs that find a free slot at once need no plan.
      </EmptyState>
    ) : (
      <EmptyState icon={IconRoute} title="This pass is no longer remembered">
        Large networks are remembered for a short time only. Its figures below remain.
      </EmptyState>
    )
  return (
    <div className={styles.picture}>
      <Suspense fallback={<Skeleton height={260} />}>
        <FlowPicture view={view} />
      </Suspense>
    </div>
  )
}

function Tables({ view }: { readonly view: PlacementView }): ReactElement {
  return (
    <>
      <Paper component="section" aria-label="What waits" bg="var(--raised)" style={{ overflow: 'hidden' }}>
        <Title order={2} px="md" pt="sm" pb={4}>
          What waits, and why
        </Title>
        <WaitingList waiting={view.waiting} />
      </Paper>
      <Paper component="details" bg="var(--raised)" style={{ overflow: 'hidden' }} open={isNarrow()}>
        <Text component="summary" px="md" py="sm" fw={550} style={{ cursor: 'pointer' }}>
          The same as a table
        </Text>
        <FlowTable view={view} />
      </Paper>
    </>
  )
}

/** On a phone there is no picture, so the table is open. */
function isNarrow(): boolean {
  return globalThis.matchMedia?.('(width < 48em)').matches === true
}
