// How long ago a worker was heard on the channel over which it is given jobs: the only sign of life that counts.

import { Tooltip } from '@mantine/core'
import type { WorkerView } from '@millrace/protocol'
import type { ReactElement } from 'react'
import { durationText, instantText } from '../primitives/duration.ts'
import { useNow } from '../primitives/use-now.ts'
import { isLate } from './worker-state.ts'

export function Heard({ worker }: { readonly worker: WorkerView }): ReactElement {
  const { heardAt, presence, channel } = worker
  const now = useNow()
  const late = presence !== 'lost' && isLate(heardAt, now)
  const how = channel === 'pull' ? 'when it last asked for a job' : 'on the connection that brings it jobs'
  return (
    <Tooltip label={`Heard ${how}: ${instantText(heardAt)}`}>
      <time
        dateTime={new Date(heardAt).toISOString()}
        style={late ? { color: 'var(--word-failed)', fontWeight: 600 } : undefined}
      >
        {late && 'late: '}
        {wholeSeconds(now - heardAt)}
      </time>
    </Tooltip>
  )
}

function wholeSeconds(ms: number): string {
  return ms < 60_000 ? `${Math.max(0, Math.floor(ms / 1_000))} s` : durationText(ms)
}
