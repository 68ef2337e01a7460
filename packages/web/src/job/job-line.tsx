// One job in a list: what it is, where it is in its life, whose it is, since when.

import { Text } from '@mantine/core'
import { memo, type ReactElement } from 'react'
import { Ago } from '../primitives/ago.tsx'
import { durationText } from '../primitives/duration.ts'
import { useNow } from '../primitives/use-now.ts'
import { PlainLink } from '../shell/go.tsx'
import { placeOfJob } from '../shell/places.ts'
import styles from './job-line.module.css'
import { isEnded, type JobRow } from './job-row.ts'
import { SegmentedBar } from './segmented-bar.tsx'
import { StatusMark } from './status-mark.tsx'

export type LineLook = 'room' | 'wide'

interface LineProps {
  readonly job: JobRow
  readonly look: LineLook
  /** It stands in a list that it no longer matches. */
  readonly stray: boolean
}

export const JobLine: (props: LineProps) => ReactElement = memo(Line) as unknown as (
  props: LineProps,
) => ReactElement

function Line({ job, look, stray }: LineProps): ReactElement {
  const { id, room, extension, category, status, submitter, createdAt, cancelStage } = job
  const word = cancelStage !== undefined && !isEnded(status) ? 'cancelling' : status
  return (
    <PlainLink
      to={placeOfJob(room, id)}
      className={styles.line}
      data-look={look}
      data-stray={stray || undefined}
      data-job={id}
    >
      <span className={styles.status}>
        <StatusMark status={status} word={word} />
      </span>
      <span className={styles.what}>
        <strong>{extension}</strong> <span className={styles.dim}>{category}</span>
      </span>
      <span className={styles.bar}>
        <SegmentedBar job={job} />
      </span>
      <span className={`${styles.time} numbers`}>
        <Elapsed job={job} />
      </span>
      {look === 'wide' && <span className={styles.room}>{room}</span>}
      <span className={styles.who}>{submitter}</span>
      <span className={`${styles.when} numbers`}>
        <Ago at={createdAt} />
      </span>
      <NoteOf job={job} stray={stray} />
    </PlainLink>
  )
}

function Elapsed({ job }: { readonly job: JobRow }): ReactElement {
  const ended = isEnded(job.status)
  const now = useNow(!ended)
  return <>{durationText((job.endedAt ?? now) - job.createdAt)}</>
}

/** What a running job says of itself, or why one failed; before all, that it does not belong here any more. */
function NoteOf({ job, stray }: Omit<LineProps, 'look'>): ReactElement | null {
  const { status, progress, error } = job
  const percent = progress ? `${Math.round(progress.fraction * 100)} %` : ''
  const told =
    status === 'running' && progress ? `${percent} ${progress.message ?? ''}` : (error?.message ?? '')
  const text = stray ? 'no longer matches' : told
  if (text === '') return null
  return (
    <Text component="span" size="xs" c="dimmed" truncate className={styles.note}>
      {text}
    </Text>
  )
}
