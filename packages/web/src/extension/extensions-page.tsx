// What can be run in the rooms one may see, who serves it, and how it does.

import { Badge, Paper, Skeleton, Text } from '@mantine/core'
import { IconAlertTriangle, IconPlayerPause, IconPuzzle, IconServerOff } from '@tabler/icons-react'
import { lazy, type ReactElement, Suspense } from 'react'
import { durationText } from '../primitives/duration.ts'
import { EmptyState } from '../primitives/empty-state.tsx'
import { ProblemNote } from '../primitives/problem-note.tsx'
import { type Column, RowTable } from '../primitives/row-table.tsx'
import { useRooms } from '../room/room-queries.ts'
import { useAllRooms } from '../room/use-all-rooms.ts'
import { setSearch, useSearch } from '../shell/address.ts'
import { Page } from '../shell/page.tsx'
import { ConnectWorker } from '../worker/connect-worker.tsx'
import { BreakerMark } from './breaker-mark.tsx'
import styles from './extension-marks.module.css'
import { useExtensionSums } from './extension-overview.ts'
import { type ExtensionSum, failureRate } from './extension-sums.ts'

const ExtensionDialog = lazy(async () => ({
  default: (await import('./extension-dialog.tsx')).ExtensionDialog,
}))

export function ExtensionsPage(): ReactElement {
  const rooms = useAllRooms()
  const { isSuccess } = useRooms()
  const { of } = useSearch()
  const { sums, isPending, error, refetch } = useExtensionSums(isSuccess ? rooms : undefined)
  const opened = sums.find(({ key }) => key === of)
  const [room] = rooms
  return (
    <Page
      title="Extensions"
      lead="What can be run, who serves it and how it does, over the rooms you may see."
      actions={room !== undefined && <ConnectWorker room={room} />}
    >
      {error && <ProblemNote fault={error} onRetry={refetch} />}
      {isPending && !error && <Skeleton height={240} />}
      {!isPending && (
        <Paper component="section" aria-label="Extensions" bg="var(--raised)" style={{ overflow: 'hidden' }}>
          {sums.length === 0 ? (
            <NoExtension room={room} />
          ) : (
            <RowTable label="Extensions" columns={columns} rows={sums} keyOf={({ key }) => key} />
          )}
        </Paper>
      )}
      <Suspense fallback={null}>
        {opened && <ExtensionDialog key={opened.key} sum={opened} onClose={() => setSearch({})} />}
      </Suspense>
    </Page>
  )
}

const columns: readonly Column<ExtensionSum>[] = [
  { name: 'Extension', head: true, cell: (sum) => <Name sum={sum} /> },
  {
    name: 'Workers',
    end: true,
    cell: ({ workers, pending }) =>
      workers > 0 ? (
        workers
      ) : (
        <span className={pending > 0 ? styles.bad : styles.dim}>
          {pending > 0 && <IconServerOff size={13} aria-hidden />} none
        </span>
      ),
  },
  { name: 'Waiting', end: true, cell: ({ pending }) => pending.toLocaleString() },
  { name: 'Running', end: true, cell: ({ running }) => running.toLocaleString() },
  { name: 'Wait p50 / p95', end: true, cell: ({ waitMsP50, waitMsP95 }) => pair(waitMsP50, waitMsP95) },
  { name: 'Run p50 / p95', end: true, cell: ({ runMsP50, runMsP95 }) => pair(runMsP50, runMsP95) },
  { name: 'Failed', end: true, cell: (sum) => <Failures sum={sum} /> },
]

function pair(p50: number | null, p95: number | null): ReactElement {
  if (p50 === null || p95 === null) return <span className={styles.dim}>–</span>
  return (
    <>
      {durationText(p50)} / {durationText(p95)}
    </>
  )
}

/** From this share on it is no accident. */
const manyFail = 0.2

function Failures({ sum }: { readonly sum: ExtensionSum }): ReactElement {
  const rate = failureRate(sum)
  if (rate === null) return <span className={styles.dim}>–</span>
  const text = `${(rate * 100).toLocaleString('en', { maximumFractionDigits: 1 })} %`
  return (
    <span
      className={rate >= manyFail ? styles.bad : undefined}
      title={`${sum.failed} of ${sum.failed + sum.completed}`}
    >
      {rate >= manyFail && <IconAlertTriangle size={13} role="img" aria-label="Many fail:" />} {text}
    </span>
  )
}

function Name({ sum }: { readonly sum: ExtensionSum }): ReactElement {
  const { key, category, name, scope, home, paused, breaker, workers, pending } = sum
  return (
    <div>
      <button type="button" className={styles.name} onClick={() => setSearch({ of: key })}>
        {name}
      </button>{' '}
      <Text component="span" size="xs" c="dimmed">
        {category}
        {home !== null && `, only in ${home}`}
      </Text>{' '}
      {scope !== 'room' && (
        <Badge variant="default" size="xs">
          {scope === 'builtin' ? 'built in' : scope}
        </Badge>
      )}
      <div className={styles.marks}>
        <BreakerMark breaker={breaker} />
        {paused && (
          <span className={styles.mark} style={{ color: 'var(--word-assigned)' }}>
            <IconPlayerPause size={14} aria-hidden /> paused by {paused.by}
          </span>
        )}
        {workers === 0 && pending > 0 && (
          <span className={styles.mark} style={{ color: 'var(--word-failed)' }}>
            nobody serves it
          </span>
        )}
      </div>
    </div>
  )
}

function NoExtension({ room }: { readonly room: string | undefined }): ReactElement {
  return (
    <EmptyState
      icon={IconPuzzle}
      title="There are no extensions yet"
      action={room !== undefined && <ConnectWorker room={room} variant="filled" />}
    >
      An extension is a kind of job with a form. Workers bring them: a name, a schema and a function in
      TypeScript or Python. The pool brings the built-in ones.
    </EmptyState>
  )
}
