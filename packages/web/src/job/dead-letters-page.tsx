// What failed for good: errors that are alike as one, and the jobs themselves, to be redriven when it is mended.

import { Paper, Title } from '@mantine/core'
import type { ErrorGroup } from '@millrace/protocol'
import { type ReactElement, useMemo } from 'react'
import { ErrorGroups } from '../error/error-groups.tsx'
import { useAllRooms } from '../room/use-all-rooms.ts'
import { setSearch, useSearch } from '../shell/address.ts'
import { Page } from '../shell/page.tsx'
import { DeadLetters } from './dead-letters.tsx'
import type { LetterFilter } from './redrive.ts'

export function DeadLettersPage(): ReactElement {
  const rooms = useAllRooms()
  const search = useSearch()
  const { room = '', category, extension } = search
  const chosen = room === '' ? null : room
  const filter = useMemo<LetterFilter>(
    () => ({ ...(category && { category }), ...(extension && { extension }) }),
    [category, extension],
  )
  const change = (next: LetterFilter, inRoom: string | null): void =>
    setSearch({ ...next, ...(inRoom !== null && { room: inRoom }) } as Record<string, string>)
  const choose = (group: ErrorGroup): void => {
    const [only, ...more] = group.rooms
    change(
      { category: group.category, extension: group.extension },
      more.length === 0 ? (only?.room ?? chosen) : chosen,
    )
    document.getElementById('dead-letters')?.scrollIntoView({ behavior: 'smooth' })
  }
  return (
    <Page
      title="Dead letters"
      lead="Jobs that failed for good. Mend the cause, then redrive them: each becomes a new job that names the old one."
    >
      <Paper component="section" aria-label="Errors" bg="var(--raised)" style={{ overflow: 'hidden' }}>
        <Title order={2} px="md" pt="sm" pb={4}>
          Errors
        </Title>
        <ErrorGroups room={chosen} onChoose={choose} />
      </Paper>
      <DeadLetters room={chosen} rooms={rooms} filter={filter} onChange={change} />
    </Page>
  )
}
