// What one more worker would start now, of what, and what would still wait.

import { Stack, Text } from '@mantine/core'
import type { WhatIfView } from '@millrace/protocol'
import type { ReactElement } from 'react'
import { type Column, RowTable } from '../primitives/row-table.tsx'

type Change = WhatIfView['classes'][number]

export function WhatIfAnswer({ answer }: { readonly answer: WhatIfView }): ReactElement {
  const changed = answer.classes.filter(({ before, after }) => before !== after)
  const waits = answer.waiting.reduce((sum, { count }) => sum + count, 0)
  return (
    <Stack gap="xs" role="status" data-testid="what-if-answer">
      <Text fw={600} fz="lg">
        {moreText(answer.more)}
      </Text>
      {changed.length > 0 && (
        <RowTable label="What would start" columns={columns} rows={changed} keyOf={keyOf} />
      )}
      <Text size="sm" c="dimmed">
        {waits > 0
          ? stillText(answer)
          : answer.more === 0
            ? 'Nothing waits now.'
            : 'Then nothing would wait.'}
      </Text>
    </Stack>
  )
}

function moreText(more: number): string {
  if (more === 0) return 'No job more would start now.'
  if (more < 0) return `${-more} fewer jobs would start now: others would take their turn.`
  return more === 1
    ? '1 more job would start now.'
    : `${more.toLocaleString('en')} more jobs would start now.`
}

function stillText({ waiting }: WhatIfView): string {
  const told = waiting
    .slice(0, 3)
    .map(({ count, extension, room, sentence }) => `${count} of ${extension} in ${room}: ${sentence}`)
  const rest = waiting.length > 3 ? ` And ${waiting.length - 3} kinds more.` : ''
  return `Still waiting: ${told.join(' ')}${rest}`
}

function keyOf({ room, scope, category, extension, hash }: Change): string {
  return [room, scope, category, extension, hash].join(' ')
}

const columns: readonly Column<Change>[] = [
  { name: 'Extension', head: true, cell: ({ category, extension }) => `${category} / ${extension}` },
  { name: 'Room', cell: ({ room }) => room },
  { name: 'Starts now', end: true, cell: ({ before }) => before },
  { name: 'Would start', end: true, cell: ({ after }) => after },
]
