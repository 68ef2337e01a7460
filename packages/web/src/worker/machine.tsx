// The machine under a worker: how busy it is and how full its memory. Coloured only where it is too much.

import type { WorkerView } from '@millrace/protocol'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactElement } from 'react'
import styles from './machine.module.css'

/** Where the server gives it nothing more: memory above 90 %, load above four times its cores. */
const memoryLimit = 0.9
const loadPerCore = 4

export function Machine({ vitals }: { readonly vitals: WorkerView['vitals'] }): ReactElement {
  if (vitals === null) return <span className={styles.none}>load not told</span>
  const { load, cores, memoryUsed } = vitals
  return (
    <div className={styles.machine}>
      <Gauge
        name="load"
        text={`${load.toFixed(1)} on ${cores}`}
        share={load / (loadPerCore * cores)}
        over={load > loadPerCore * cores}
      />
      <Gauge
        name="memory"
        text={`${Math.round(memoryUsed * 100)} %`}
        share={memoryUsed}
        over={memoryUsed > memoryLimit}
      />
    </div>
  )
}

interface GaugeProps {
  readonly name: string
  readonly text: string
  readonly share: number
  readonly over: boolean
}

function Gauge({ name, text, share, over }: GaugeProps): ReactElement {
  return (
    <div className={styles.gauge} data-over={over || undefined}>
      <span className={styles.name}>{name}</span>
      <span className={styles.track} aria-hidden>
        <span className={styles.fill} style={{ width: `${Math.min(1, share) * 100}%` }} />
      </span>
      <span className={styles.text}>
        {over && <IconAlertTriangle size={12} aria-label="too much" />}
        {text}
      </span>
    </div>
  )
}
