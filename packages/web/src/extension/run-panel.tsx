// Running something: a category, an extension of it, its form, and the button.

import { Badge, Group, Paper, Select, Skeleton, Stack, Text, Title, Tooltip } from '@mantine/core'
import type { ExtensionView, RoomView } from '@millrace/protocol'
import { IconPlayerPause, IconPlugConnected, IconServer } from '@tabler/icons-react'
import { lazy, type ReactElement, Suspense, useMemo, useRef } from 'react'
import { EmptyState } from '../primitives/empty-state.tsx'
import { ProblemNote } from '../primitives/problem-note.tsx'
import { setSearch, useSearch } from '../shell/address.ts'
import { ConnectWorker } from '../worker/connect-worker.tsx'
import { keyOfExtension, useExtensions } from './extension-queries.ts'
import type { JsonSchema } from './json-schema.ts'
import { titleOf } from './normalise-schema.ts'
import styles from './run-panel.module.css'

/** Begun at once: it arrives while the extensions are being asked for. */
const form = import('./run-form.tsx')
const RunForm = lazy(async () => ({ default: (await form).RunForm }))

export function RunPanel({ room }: { readonly room: RoomView }): ReactElement {
  const { data: extensions, error, refetch } = useExtensions(room.name)
  return (
    <Paper component="section" aria-label="Run" p="md" bg="var(--raised)">
      {error && <ProblemNote fault={error} onRetry={() => void refetch()} />}
      {!extensions && !error && <PanelSkeleton />}
      {extensions?.length === 0 && <NothingToRun room={room.name} />}
      {extensions && extensions.length > 0 && <Chooser key={room.name} room={room} extensions={extensions} />}
    </Paper>
  )
}

function NothingToRun({ room }: { readonly room: string }): ReactElement {
  return (
    <EmptyState
      icon={IconPlugConnected}
      title="Nothing can be run here yet"
      action={<ConnectWorker room={room} variant="filled" />}
    >
      Extensions are brought by workers. Connect one: a file in TypeScript or Python, started on your laptop
      or on any machine that reaches this server.
    </EmptyState>
  )
}

interface ChooserProps {
  readonly room: RoomView
  readonly extensions: readonly ExtensionView[]
}

function Chooser({ room, extensions: served }: ChooserProps): ReactElement {
  const search = useSearch()
  const chosen = useShown(served, search.run)
  const isGone =
    chosen !== undefined && !served.some((each) => keyOfExtension(each) === keyOfExtension(chosen))
  const extensions = isGone ? [chosen, ...served] : served
  const categories = useMemo(
    () => [...new Set(extensions.map(({ category }) => category))].sort(),
    [extensions],
  )
  const choose = (extension: ExtensionView | undefined): void => {
    if (extension) setSearch({ run: keyOfExtension(extension) })
  }
  if (!chosen) return <PanelSkeleton />
  const inCategory = extensions.filter(({ category }) => category === chosen.category)
  return (
    <Stack gap="md">
      <div className={styles.chooser}>
        <Select
          label="Category"
          data={categories.map((each) => ({ value: each, label: titleOf(each) }))}
          value={chosen.category}
          onChange={(category) => choose(firstOf(extensions.filter((each) => each.category === category)))}
          allowDeselect={false}
        />
        <Select
          label="Extension"
          data={inCategory.map((each) => ({ value: keyOfExtension(each), label: labelOf(each, inCategory) }))}
          value={keyOfExtension(chosen)}
          onChange={(key) => choose(extensions.find((each) => keyOfExtension(each) === key))}
          allowDeselect={false}
          searchable
        />
      </div>
      <About extension={isGone ? { ...chosen, workers: 0 } : chosen} />
      <Suspense fallback={<PanelSkeleton />}>
        <RunForm
          key={`${keyOfExtension(chosen)}/${search.like ?? ''}`}
          room={room}
          extension={chosen}
          isGone={isGone}
          like={search.like}
        />
      </Suspense>
    </Stack>
  )
}

/** Stays, whoever comes or goes: a form that changed under somebody's hands would lose what they typed. */
function useShown(
  extensions: readonly ExtensionView[],
  asked: string | undefined,
): ExtensionView | undefined {
  const last = useRef<ExtensionView>(undefined)
  const key = asked ?? (last.current && keyOfExtension(last.current))
  const shown = extensions.find((each) => keyOfExtension(each) === key) ?? last.current ?? firstOf(extensions)
  last.current = shown
  return shown
}

/** Those that can run at once come first. */
function firstOf(extensions: readonly ExtensionView[]): ExtensionView | undefined {
  return extensions.find(({ workers }) => workers > 0) ?? extensions[0]
}

function labelOf({ name, scope }: ExtensionView, among: readonly ExtensionView[]): string {
  const isAlone = among.filter((each) => each.name === name).length === 1
  return isAlone ? name : `${name} (${scope})`
}

const scopes = {
  builtin: 'Comes with Millrace and runs in its pool.',
  global: 'Serves every room.',
  room: 'Serves this room only.',
} as const

function About({ extension }: { readonly extension: ExtensionView }): ReactElement {
  const { scope, workers, pending, paused, name } = extension
  const { title, description } = extension.schema as JsonSchema
  return (
    <Stack gap={6}>
      <Group gap={6} align="center">
        <Title order={2}>{title ?? name}</Title>
        <Tooltip label={scopes[scope]}>
          <Badge variant="default" size="sm">
            {scope === 'builtin' ? 'built in' : scope}
          </Badge>
        </Tooltip>
        <Badge
          variant={workers > 0 ? 'light' : 'default'}
          {...(workers === 0 && { c: 'var(--word-assigned)' })}
          size="sm"
          leftSection={<IconServer size={11} aria-hidden />}
        >
          {workers === 0 ? 'no worker' : `${workers} ${workers === 1 ? 'worker' : 'workers'}`}
        </Badge>
        {pending > 0 && (
          <Badge variant="default" size="sm">
            {pending} waiting
          </Badge>
        )}
        {paused && (
          <Badge color="yellow" size="sm" leftSection={<IconPlayerPause size={11} aria-hidden />}>
            paused by {paused.by}
          </Badge>
        )}
      </Group>
      {description !== undefined && (
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      )}
    </Stack>
  )
}

function PanelSkeleton(): ReactElement {
  return (
    <Stack>
      <Skeleton height={36} />
      <Skeleton height={36} />
      <Skeleton height={120} />
    </Stack>
  )
}
