// The network of a pass as a table: the same as the picture, for phones and for whoever cannot see it.

import type { PlacementView } from '@millrace/protocol'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type ReactElement, useMemo } from 'react'
import { type Column, RowTable } from '../primitives/row-table.tsx'
import { narrowsOf } from './cut-words.ts'
import styles from './flow-table.module.css'
import { capacityText } from './flow-words.ts'

interface Row {
  readonly key: string
  readonly from: string
  readonly to: string
  readonly flow: number
  readonly capacity: number
  readonly words: string | null
}

export function FlowTable({ view }: { readonly view: PlacementView }): ReactElement {
  const rows = useMemo(() => rowsOf(view), [view])
  return <RowTable label="The network" columns={columns} rows={rows} keyOf={({ key }) => key} />
}

/** More is not read by anybody. */
const most = 200

function rowsOf(view: PlacementView): readonly Row[] {
  const labels = new Map(view.nodes.map(({ id, label }) => [id, label]))
  const narrow = new Map(narrowsOf(view).map(({ edge, words }) => [edge, words]))
  return view.edges.slice(0, most).map((edge) => ({
    key: `${edge.from}→${edge.to}`,
    from: labels.get(edge.from) ?? edge.from,
    to: labels.get(edge.to) ?? edge.to,
    flow: edge.flow,
    capacity: edge.capacity,
    words: narrow.get(edge) ?? null,
  }))
}

const columns: readonly Column<Row>[] = [
  { name: 'From → to', head: true, cell: ({ from, to }) => `${from} → ${to}` },
  { name: 'Flows', end: true, cell: ({ flow }) => flow },
  { name: 'Could', end: true, cell: ({ capacity }) => capacityText(capacity) },
  {
    name: 'Narrow',
    cell: ({ words }) =>
      words !== null && (
        <span className={styles.narrow}>
          <IconAlertTriangle size={13} aria-hidden /> {words}
        </span>
      ),
  },
]
