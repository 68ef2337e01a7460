// A table whose rows become cards on a phone, each value with the name of its column before it.

import { type ReactElement, type ReactNode, useRef } from 'react'
import styles from './row-table.module.css'
import { useOverflows } from './use-overflows.ts'

export interface Column<Row> {
  readonly name: string
  readonly cell: (row: Row) => ReactNode
  /** Numbers stand at the end of their cells. */
  readonly end?: boolean
  /** What a row is called: the head of its card on a phone. */
  readonly head?: boolean
}

interface TableProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
}

export function RowTable<Row>({ label, columns, rows, keyOf }: TableProps<Row>): ReactElement {
  const box = useRef<HTMLDivElement>(null)
  const scrolls = useOverflows(box)
  return (
    <div
      ref={box}
      className={styles.box}
      // What scrolls can be reached by the keyboard.
      {...(scrolls && { tabIndex: 0, role: 'group', 'aria-label': label })}
    >
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ name, end }) => (
              <th key={name} scope="col" data-end={end || undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, cell, end, head }) => (
                <td key={name} data-name={name} data-end={end || undefined} data-head={head || undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
