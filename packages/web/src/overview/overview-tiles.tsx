// The figures of now. A figure has a colour, an icon and a word only where it is not as it should be.

import { SimpleGrid } from '@mantine/core'
import type { Overview } from '@millrace/protocol'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactElement } from 'react'
import { durationText } from '../primitives/duration.ts'
import { useNow } from '../primitives/use-now.ts'
import { type Figure, figuresOf } from './overview-figures.ts'
import styles from './overview-tiles.module.css'

export function OverviewTiles({ overview }: { readonly overview: Overview }): ReactElement {
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm" component="section" aria-label="Now">
      {figuresOf(overview).map((figure) => (
        <Tile key={figure.name} figure={figure} />
      ))}
      <OldestTile overview={overview} />
    </SimpleGrid>
  )
}

function Tile({ figure: { name, value, note, trouble } }: { readonly figure: Figure }): ReactElement {
  return (
    <div className={styles.tile} data-trouble={trouble !== null || undefined}>
      <div className={styles.name}>{name}</div>
      <div className={styles.value}>{value}</div>
      <div className={styles.note}>
        {trouble === null ? (
          note
        ) : (
          <>
            <IconAlertTriangle size={13} aria-hidden /> {trouble}
          </>
        )}
      </div>
    </div>
  )
}

/** As long as the server says that a wait is a slow one. */
const slowMs = 10 * 60_000

function OldestTile({ overview: { at, oldestWaitMs } }: { readonly overview: Overview }): ReactElement {
  const now = useNow(oldestWaitMs !== null)
  const ms = oldestWaitMs === null ? null : Math.max(oldestWaitMs, now - at + oldestWaitMs)
  const figure: Figure = {
    name: 'Oldest waiting',
    value: ms === null ? 'none' : ms < 60_000 ? `${Math.floor(ms / 1_000)} s` : durationText(ms),
    note: ms === null ? 'nothing waits' : 'the job that has waited longest',
    trouble: ms !== null && ms >= slowMs ? 'ten minutes and more' : null,
  }
  return <Tile figure={figure} />
}
