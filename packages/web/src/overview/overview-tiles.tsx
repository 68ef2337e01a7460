// The figures of now. A figure has a colour, an icon and a word only where it is not as it should be.

import { SimpleGrid } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactElement } from 'react'
import type { Figure } from './overview-figures.ts'
import styles from './overview-tiles.module.css'

export function OverviewTiles({ figures }: { readonly figures: readonly Figure[] }): ReactElement {
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm" component="section" aria-label="Now">
      {figures.map((figure) => (
        <Tile key={figure.name} figure={figure} />
      ))}
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
