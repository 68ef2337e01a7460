// The state of a job as icon and word; colour only repeats what they say.

import type { JobStatus } from '@millrace/protocol'
import {
  IconAlertTriangle,
  IconBan,
  IconCircleCheck,
  IconCircleDashed,
  IconHourglassLow,
  IconPlayerPlay,
  type TablerIcon,
} from '@tabler/icons-react'
import type { ReactElement } from 'react'
import styles from './status-mark.module.css'

const icons: Readonly<Record<JobStatus, TablerIcon>> = {
  pending: IconHourglassLow,
  assigned: IconCircleDashed,
  running: IconPlayerPlay,
  completed: IconCircleCheck,
  failed: IconAlertTriangle,
  cancelled: IconBan,
}

export function StatusMark({
  status,
  size = 15,
  word = status,
}: {
  readonly status: JobStatus
  readonly size?: number
  readonly word?: string
}): ReactElement {
  const Icon = icons[status]
  return (
    <span className={styles.mark} style={{ color: `var(--word-${status})` }} data-status={status}>
      <Icon size={size} stroke={2} aria-hidden />
      {word}
    </span>
  )
}
