// The slots of a worker as small blocks, full where a job sits.

import type { ReactElement } from 'react'
import styles from './slot-bar.module.css'
import { slotBlocks } from './worker-state.ts'

interface SlotProps {
  readonly total: number
  readonly free: number
}

export function SlotBar({ total, free }: SlotProps): ReactElement {
  const { blocks, full } = slotBlocks(total, free)
  const used = Math.max(0, total - Math.max(0, free))
  return (
    <div className={styles.slots}>
      <span className={styles.count}>
        {used} / {total}
      </span>
      <span className={styles.blocks} role="img" aria-label={`${used} of ${total} slots are taken`}>
        {Array.from({ length: blocks }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a block is its place
          <span key={at} className={styles.block} data-full={at < full || undefined} />
        ))}
      </span>
    </div>
  )
}
