// Since when there are figures: a server that has just started knows little, and its zeros are no good news.

import { Text } from '@mantine/core'
import type { ReactElement } from 'react'
import { serverNow } from '../connection/server-clock.ts'
import { Ago } from '../primitives/ago.tsx'
import { useSeries } from './overview-queries.ts'
import { beginsAt, type Span } from './series-points.ts'

/** The hour is not kept, so it begins with the server; of the week what was counted before is read back. */
const words: Readonly<Record<Span, string>> = {
  hour: 'Counted since the server started, ',
  week: 'The figures begin ',
}

export function CountedSince({
  span,
  room,
}: {
  readonly span: Span
  readonly room: string | null
}): ReactElement | null {
  const { data } = useSeries(span, room)
  const at = data ? beginsAt(data, serverNow()) : null
  if (at === null) return null
  return (
    <Text size="sm" c="dimmed" mb="xs">
      {words[span]}
      <Ago at={at} />.
    </Text>
  )
}

/** When the server started, where that is less than an hour ago. */
export function useStartedAt(): number | null {
  const { data } = useSeries('hour', null)
  return data ? beginsAt(data, serverNow()) : null
}
