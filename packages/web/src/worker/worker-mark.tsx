// What a worker is doing, as icon and word; only what may need somebody has a colour.

import {
  IconAlertTriangle,
  IconCircleCheck,
  IconLoader,
  IconPlugConnectedX,
  IconPlugX,
  IconProgressDown,
  type TablerIcon,
} from '@tabler/icons-react'
import type { ReactElement } from 'react'
import styles from './worker-row.module.css'
import type { WorkerWord } from './worker-state.ts'

const looks: Readonly<Record<WorkerWord, { readonly icon: TablerIcon; readonly color: string }>> = {
  ready: { icon: IconCircleCheck, color: 'var(--mantine-color-text)' },
  busy: { icon: IconLoader, color: 'var(--mantine-color-text)' },
  draining: { icon: IconProgressDown, color: 'var(--word-assigned)' },
  unwell: { icon: IconAlertTriangle, color: 'var(--word-failed)' },
  away: { icon: IconPlugConnectedX, color: 'var(--word-assigned)' },
  lost: { icon: IconPlugX, color: 'var(--mantine-color-dimmed)' },
}

export function WorkerMark({ word }: { readonly word: WorkerWord }): ReactElement {
  const { icon: Icon, color } = looks[word]
  return (
    <span className={styles.mark} style={{ color }} data-word={word}>
      <Icon size={16} stroke={1.9} aria-hidden />
      {word}
    </span>
  )
}
