// The bar of a job: pending, assigned, running, end, as wide as they were long, ticking while it goes on.

import type { ReactElement } from 'react'
import { durationText } from '../primitives/duration.ts'
import { useNow } from '../primitives/use-now.ts'
import { endText } from './attempt-words.ts'
import { type Phase, type Segment, segmentsOf, sharesOf, type Timed, totalMs } from './bar-segments.ts'
import { isEnded } from './job-row.ts'
import styles from './segmented-bar.module.css'

interface BarProps {
  readonly job: Timed
  readonly height?: number
}

export function SegmentedBar({ job, height = 8 }: BarProps): ReactElement {
  const ended = isEnded(job.status)
  const segments = segmentsOf(job, useNow(!ended))
  const shares = sharesOf(segments.map(({ ms }) => ms))
  return (
    <div className={styles.bar} style={{ height }} role="img" aria-label={sentenceOf(segments, job.status)}>
      {segments.map((segment, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: segments only ever grow at the end
          key={index}
          className={styles.segment}
          data-phase={segment.phase}
          data-open={segment.open || undefined}
          data-outcome={segment.outcome}
          style={{ flexGrow: shares[index] ?? 0 }}
          title={titleOf(segment)}
        />
      ))}
      {ended && (
        <div className={styles.end} data-status={job.status} style={{ width: height }} title={job.status} />
      )}
    </div>
  )
}

function phaseText(phase: Phase): string {
  return phase === 'earlier' ? 'earlier attempts' : phase
}

function titleOf({ phase, ms, attempt, outcome }: Segment): string {
  const which = attempt > 1 ? `, attempt ${attempt}` : ''
  return `${phaseText(phase)} ${durationText(ms)}${which}${outcome === undefined ? '' : `, ${endText(outcome)}`}`
}

function sentenceOf(segments: readonly Segment[], status: string): string {
  const told = segments.map(({ phase, ms }) => `${phaseText(phase)} ${durationText(ms)}`).join(', ')
  return `${told}; ${status} after ${durationText(totalMs(segments))}`
}

/** The durations in words, beneath a bar that is looked at for itself. */
export function BarLegend({ job }: Pick<BarProps, 'job'>): ReactElement {
  const ended = isEnded(job.status)
  const segments = segmentsOf(job, useNow(!ended))
  const phases = ['pending', 'assigned', 'running'] as const
  const rows = phases.flatMap((phase) => {
    const own = segments.filter((segment) => segment.phase === phase)
    return own.length === 0 ? [] : [{ phase, ms: totalMs(own) }]
  })
  return (
    <ul className={`${styles.legend} numbers`}>
      {rows.map(({ phase, ms }) => (
        <li key={phase}>
          <span className={styles.dot} style={{ background: `var(--state-${phase})` }} />
          {phase} <strong>{durationText(ms)}</strong>
        </li>
      ))}
      {ended && (
        <li>
          <span className={styles.dot} style={{ background: `var(--state-${job.status})` }} />
          {job.status} after <strong>{durationText(totalMs(segments))}</strong>
        </li>
      )}
    </ul>
  )
}
