// What to look for among jobs. All of it stands in the address bar, so a link shows the same to somebody else.

import { Button, Chip, Group, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import type { JobStatus } from '@millrace/protocol'
import { IconSearch, IconX } from '@tabler/icons-react'
import { type ReactElement, useState } from 'react'
import { RoomSelect } from '../room/room-select.tsx'
import { isFiltered, type JobFilter } from './job-filter.ts'
import { SavedViews } from './saved-views.tsx'
import { StatusMark } from './status-mark.tsx'

interface FiltersProps {
  readonly filter: JobFilter
  readonly room: string | null
  readonly rooms: readonly string[]
  readonly onChange: (filter: JobFilter, room: string | null) => void
}

const statuses: readonly JobStatus[] = ['pending', 'assigned', 'running', 'completed', 'failed', 'cancelled']
const hourMs = 3_600_000
const times = [
  { value: String(hourMs), label: 'last hour' },
  { value: String(24 * hourMs), label: 'last day' },
  { value: String(7 * 24 * hourMs), label: 'last week' },
]
/** Between the last key and the question to the server. */
const patienceMs = 350

export function JobFilters(props: FiltersProps): ReactElement {
  const { filter, room, rooms, onChange } = props
  const { within, ...timeless } = filter
  return (
    <Group gap="xs" align="center">
      <Statuses {...props} />
      <RoomSelect rooms={rooms} room={room} onChange={(next) => onChange(filter, next)} />
      <Select
        size="xs"
        aria-label="Submitted"
        placeholder="at any time"
        data={times}
        value={within === undefined ? null : String(within)}
        onChange={(next) => onChange(next === null ? timeless : { ...filter, within: Number(next) }, room)}
        clearable
        w={130}
      />
      <Words key={`${filter.extension}/${filter.submitter}`} {...props} />
      {(isFiltered(filter) || room !== null) && (
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          leftSection={<IconX size={14} />}
          onClick={() => onChange({}, null)}
        >
          Clear
        </Button>
      )}
      <SavedViews />
    </Group>
  )
}

function Statuses({ filter, room, onChange }: FiltersProps): ReactElement {
  const { status = [], ...rest } = filter
  return (
    <Chip.Group
      multiple
      value={[...status]}
      onChange={(next) => onChange(next.length === 0 ? rest : { ...rest, status: next as JobStatus[] }, room)}
    >
      <Group gap={4}>
        {statuses.map((each) => (
          <Chip key={each} value={each} size="xs" radius="sm" variant="outline">
            <StatusMark status={each} size={13} />
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  )
}

/** What is typed is asked for when the typing stops. */
function Words({ filter, room, onChange }: FiltersProps): ReactElement {
  const [words, setWords] = useState({
    extension: filter.extension ?? '',
    submitter: filter.submitter ?? '',
    search: filter.search ?? '',
  })
  const ask = useDebouncedCallback((next: typeof words) => {
    const { extension: _e, submitter: _s, search: _t, ...rest } = filter
    const typed = Object.entries(next).filter(([, text]) => text.trim() !== '')
    onChange({ ...rest, ...Object.fromEntries(typed) }, room)
  }, patienceMs)
  const field = (name: keyof typeof words, placeholder: string, width: number): ReactElement => (
    <TextInput
      size="xs"
      aria-label={placeholder}
      placeholder={placeholder}
      leftSection={name === 'search' ? <IconSearch size={14} /> : undefined}
      value={words[name]}
      onChange={(event) => {
        const next = { ...words, [name]: event.currentTarget.value }
        setWords(next)
        ask(next)
      }}
      w={width}
    />
  )
  return (
    <>
      {field('extension', 'extension', 120)}
      {field('submitter', 'submitter', 110)}
      {field('search', 'text in the data', 160)}
    </>
  )
}
