// That an extension was stopped because it kept failing, and for how long yet. Nothing while it is well.

import { IconBoltOff, IconTestPipe } from '@tabler/icons-react'
import type { ReactElement } from 'react'
import { durationText } from '../primitives/duration.ts'
import { useNow } from '../primitives/use-now.ts'
import type { BreakerView } from './breaker.ts'
import styles from './extension-marks.module.css'

export function BreakerMark({ breaker }: { readonly breaker: BreakerView }): ReactElement | null {
  const { state, until } = breaker
  const now = useNow(state === 'open')
  if (state === 'closed') return null
  if (state !== 'open')
    return (
      <span className={styles.mark} style={{ color: 'var(--word-assigned)' }}>
        <IconTestPipe size={14} aria-hidden /> trying one job
      </span>
    )
  const left = until === null ? null : Math.max(0, Math.ceil((until - now) / 1_000) * 1_000)
  return (
    <span className={styles.mark} style={{ color: 'var(--word-failed)' }}>
      <IconBoltOff size={14} aria-hidden /> stopped: it kept failing
      {left !== null && `, one job is tried in ${durationText(left).replace('.0', '')}`}
    </span>
  )
}
