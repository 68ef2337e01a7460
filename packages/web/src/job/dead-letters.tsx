// The dead letters that a filter finds, chosen one by one or all of them, and redriven.

import { Button, Checkbox, Group, Loader, Paper, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import type { JobSummary } from '@millrace/protocol'
import { IconMailCheck, IconRepeat } from '@tabler/icons-react'
import { type ReactElement, useState } from 'react'
import { Ago } from '../primitives/ago.tsx'
import { EmptyState } from '../primitives/empty-state.tsx'
import { MoreButton } from '../primitives/more-button.tsx'
import { ProblemNote } from '../primitives/problem-note.tsx'
import { type Column, RowTable } from '../primitives/row-table.tsx'
import { RoomSelect } from '../room/room-select.tsx'
import { Go } from '../shell/go.tsx'
import { placeOfJob } from '../shell/places.ts'
import styles from './dead-letters.module.css'
import type { LetterFilter } from './redrive.ts'
import { RedriveDialog } from './redrive-dialog.tsx'
import { useDeadLetters } from './use-dead-letters.ts'

interface LettersProps {
  readonly room: string | null
  readonly rooms: readonly string[]
  readonly filter: LetterFilter
  readonly onChange: (filter: LetterFilter, room: string | null) => void
}

export function DeadLetters(props: LettersProps): ReactElement {
  const { room, rooms, filter } = props
  const { query, letters } = useDeadLetters(room, filter)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [asked, setAsked] = useState<'chosen' | 'all' | null>(null)
  const picked = letters.filter(({ id }) => chosen.has(id))
  const all = letters.length > 0 && picked.length === letters.length
  const toggle = (ids: readonly string[], on: boolean): void => {
    const next = new Set(chosen)
    for (const id of ids) on ? next.add(id) : next.delete(id)
    setChosen(next)
  }
  return (
    <Paper
      component="section"
      id="dead-letters"
      aria-label="Dead letters"
      bg="var(--raised)"
      className={styles.box}
    >
      <Group justify="space-between" px="md" py="sm" gap="xs">
        <Title order={2}>Dead letters</Title>
        <Group gap="xs">
          <Filters {...props} />
          <Button
            size="xs"
            leftSection={<IconRepeat size={14} />}
            disabled={letters.length === 0}
            onClick={() => setAsked(picked.length > 0 ? 'chosen' : 'all')}
          >
            {picked.length > 0 ? `Redrive ${picked.length}` : 'Redrive all of these'}
          </Button>
        </Group>
      </Group>
      {query.error && <ProblemNote fault={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Loader m="md" size="sm" aria-label="Loading" />}
      {query.isSuccess && letters.length === 0 && (
        <EmptyState icon={IconMailCheck} title="There are no dead letters here">
          A job whose tries are used up, or that said itself that trying again is of no use, is kept here with
          everything that is needed to redrive it: for 14 days, unless its extension or its job says
          otherwise.
        </EmptyState>
      )}
      {letters.length > 0 && (
        <>
          <Checkbox
            size="xs"
            px="md"
            pb={6}
            label="All that are shown"
            checked={all}
            indeterminate={picked.length > 0 && !all}
            onChange={(event) =>
              toggle(
                letters.map(({ id }) => id),
                event.currentTarget.checked,
              )
            }
          />
          <RowTable
            label="Dead letters"
            columns={columnsWith(chosen, toggle)}
            rows={letters}
            keyOf={({ id }) => id}
          />
        </>
      )}
      <MoreButton query={query}>Show more</MoreButton>
      {asked !== null && (
        <RedriveDialog
          chosen={asked === 'chosen' ? picked : null}
          rooms={room === null ? rooms : [room]}
          filter={filter}
          onDone={() => setChosen(new Set())}
          onClose={() => setAsked(null)}
        />
      )}
    </Paper>
  )
}

function Filters({ room, rooms, filter, onChange }: LettersProps): ReactElement {
  const [typed, setTyped] = useState<string | null>(null)
  const ask = useDebouncedCallback((text: string) => {
    const { extension: _, category: __, ...rest } = filter
    onChange(text.trim() === '' ? rest : { ...rest, extension: text.trim() }, room)
    setTyped(null)
  }, 350)
  return (
    <>
      <RoomSelect rooms={rooms} room={room} onChange={(next) => onChange(filter, next)} />
      <TextInput
        size="xs"
        aria-label="Extension"
        placeholder="extension"
        value={typed ?? filter.extension ?? ''}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          ask(event.currentTarget.value)
        }}
        w={130}
      />
    </>
  )
}

function columnsWith(
  chosen: ReadonlySet<string>,
  toggle: (ids: readonly string[], on: boolean) => void,
): readonly Column<JobSummary>[] {
  return [
    {
      name: 'Job',
      head: true,
      cell: ({ id, room, category, extension }) => (
        <Group gap={10} wrap="nowrap">
          <Checkbox
            size="xs"
            aria-label={`Choose ${extension} …${id.slice(-6)}`}
            checked={chosen.has(id)}
            onChange={(event) => toggle([id], event.currentTarget.checked)}
          />
          <div>
            <Go to={placeOfJob(room, id)} fw={600}>
              {extension}
            </Go>{' '}
            <Text component="span" size="xs" c="dimmed">
              {category}, …{id.slice(-6)}
            </Text>
          </div>
        </Group>
      ),
    },
    { name: 'Room', cell: ({ room }) => room },
    { name: 'Of', cell: ({ submitter }) => submitter },
    { name: 'Tries', end: true, cell: ({ charged }) => charged },
    {
      name: 'Error',
      cell: ({ error }) =>
        error && (
          <span className={styles.error} title={error.message}>
            {error.name !== undefined && <strong>{error.name}: </strong>}
            {error.message}
          </span>
        ),
    },
    { name: 'Failed', end: true, cell: ({ endedAt, createdAt }) => <Ago at={endedAt ?? createdAt} /> },
  ]
}
