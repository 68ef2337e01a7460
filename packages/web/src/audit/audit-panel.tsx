// The audit trail: what people did, newest first, found by who, what and where.

import { Group, Loader, Paper, Select, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { AuditView } from '@millrace/protocol'
import { IconBan, IconCheck, IconHourglassLow, IconListSearch, type TablerIcon } from '@tabler/icons-react'
import { type ReactElement, useMemo, useState } from 'react'
import { clockText, instantText } from '../primitives/duration.ts'
import { EmptyState } from '../primitives/empty-state.tsx'
import { MoreButton } from '../primitives/more-button.tsx'
import { ProblemNote } from '../primitives/problem-note.tsx'
import { type Column, RowTable } from '../primitives/row-table.tsx'
import { useAllRooms } from '../room/use-all-rooms.ts'
import styles from './audit-panel.module.css'
import { type AuditFilter, useAudit } from './audit-queries.ts'

/** What things are done to; the server finds all deeds of a noun by it. */
const nouns = ['sign_in', 'sign_out', 'user', 'token', 'room', 'member', 'extension', 'worker', 'job', 'jobs']
/** Between the last key and the question to the server. */
const patienceMs = 350
const hourMs = 3_600_000
const times = [
  { value: String(hourMs), label: 'last hour' },
  { value: String(24 * hourMs), label: 'last day' },
  { value: String(7 * 24 * hourMs), label: 'last week' },
]

export function AuditPanel(): ReactElement {
  const rooms = useAllRooms()
  const [words, setWords] = useState({ actor: '', action: '', room: '', within: '' })
  const [asked] = useDebouncedValue(words, patienceMs)
  const filter = useMemo(() => filterOf(asked), [asked])
  const query = useAudit(filter)
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <Paper component="section" aria-label="Audit" bg="var(--raised)" style={{ overflow: 'hidden' }}>
      <Group px="md" py="sm" gap="xs">
        <TextInput
          size="xs"
          aria-label="Who"
          placeholder="who"
          value={words.actor}
          onChange={(event) => setWords({ ...words, actor: event.currentTarget.value })}
          w={130}
        />
        <Select
          size="xs"
          aria-label="About what"
          placeholder="about anything"
          data={nouns}
          value={words.action || null}
          onChange={(next) => setWords({ ...words, action: next ?? '' })}
          clearable
          searchable
          w={150}
        />
        <Select
          size="xs"
          aria-label="Room"
          placeholder="all rooms"
          data={[...rooms]}
          value={words.room || null}
          onChange={(next) => setWords({ ...words, room: next ?? '' })}
          clearable
          searchable
          w={150}
        />
        <Select
          size="xs"
          aria-label="When"
          placeholder="at any time"
          data={times}
          value={words.within || null}
          onChange={(next) => setWords({ ...words, within: next ?? '' })}
          clearable
          w={130}
        />
      </Group>
      {query.error && <ProblemNote fault={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Loader m="md" size="sm" aria-label="Loading" />}
      {query.isSuccess && entries.length === 0 && (
        <EmptyState icon={IconListSearch} title="Nothing was done that fits">
          Signing in, roles, tokens, rooms, pauses, drains, cancels, retries and redrives are written down
          here, with who did it and how it went.
        </EmptyState>
      )}
      {entries.length > 0 && (
        <RowTable label="Audit" columns={columns} rows={entries} keyOf={({ id }) => id} />
      )}
      <MoreButton query={query}>Further back</MoreButton>
    </Paper>
  )
}

type Words = Readonly<Record<'actor' | 'action' | 'room' | 'within', string>>

function filterOf({ within, ...words }: Words): AuditFilter {
  const said = Object.entries(words).filter(([, text]) => text.trim() !== '')
  return { ...Object.fromEntries(said), ...(within !== '' && { within: Number(within) }) }
}

const outcomes: Readonly<
  Record<AuditView['outcome'], { readonly icon: TablerIcon; readonly color: string }>
> = {
  done: { icon: IconCheck, color: 'var(--mantine-color-text)' },
  begun: { icon: IconHourglassLow, color: 'var(--word-assigned)' },
  refused: { icon: IconBan, color: 'var(--word-failed)' },
}

const columns: readonly Column<AuditView>[] = [
  {
    name: 'When',
    cell: ({ at }) => (
      <time dateTime={new Date(at).toISOString()} title={clockText(at)} className={styles.when}>
        {instantText(at)}
      </time>
    ),
  },
  {
    name: 'Who',
    cell: ({ actor, role }) => (
      <>
        {actor ?? 'nobody known'}{' '}
        {role !== null && (
          <Text component="span" size="xs" c="dimmed">
            {role}
          </Text>
        )}
      </>
    ),
  },
  { name: 'What', head: true, cell: ({ action, target }) => <What action={action} target={target} /> },
  { name: 'Room', cell: ({ room }) => room },
  { name: 'How it went', cell: ({ outcome }) => <Outcome outcome={outcome} /> },
  { name: 'Details', cell: ({ details }) => detailsText(details) },
]

function What({ action, target }: Pick<AuditView, 'action' | 'target'>): ReactElement {
  return (
    <span className={styles.what}>
      <strong>{action}</strong> {target}
    </span>
  )
}

function Outcome({ outcome }: Pick<AuditView, 'outcome'>): ReactElement {
  const { icon: Icon, color } = outcomes[outcome]
  return (
    <span className={styles.outcome} style={{ color }}>
      <Icon size={14} aria-hidden /> {outcome}
    </span>
  )
}

function detailsText(details: AuditView['details']): string {
  return Object.entries(details)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
}
