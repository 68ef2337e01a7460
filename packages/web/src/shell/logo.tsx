// The wheel: the four colours a job goes through, turning.

import type { ReactElement } from 'react'
import styles from './logo.module.css'

const arcs = [
  { d: 'M4.5 16A11.5 11.5 0 0 1 16 4.5', state: 'assigned' },
  { d: 'M16 4.5A11.5 11.5 0 0 1 27.5 16', state: 'running' },
  { d: 'M27.5 16A11.5 11.5 0 0 1 16 27.5', state: 'completed' },
  { d: 'M16 27.5A11.5 11.5 0 0 1 4.5 16', state: 'pending' },
] as const

export function Logo({ size = 24 }: { readonly size?: number }): ReactElement {
  return (
    <span className={styles.logo} style={{ fontSize: size * 0.72 }}>
      <svg width={size} height={size} viewBox="0 0 32 32" fill="none" strokeWidth={5} aria-hidden="true">
        {arcs.map(({ d, state }) => (
          <path key={state} d={d} stroke={`var(--state-${state})`} />
        ))}
        <circle cx={16} cy={16} r={3.2} fill="var(--mantine-primary-color-filled)" />
      </svg>
      Millrace
    </span>
  )
}
