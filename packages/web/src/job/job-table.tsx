// A long list of jobs: only the rows in sight exist, more are fetched as their end comes near, and the keyboard goes
// through it.

import { useMediaQuery } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactElement, useEffect, useRef } from 'react'
import { isStray } from './job-filter.ts'
import { JobLine, type LineLook } from './job-line.tsx'
import styles from './job-table.module.css'
import type { JobList } from './use-job-list.ts'

interface TableProps {
  readonly list: Pick<JobList, 'rows' | 'query' | 'filter'>
  readonly look: LineLook
  readonly label: string
  /** A css length: the list scrolls within it. */
  readonly height: string
}

const lineHeight = { narrow: 78, wide: 42 }
/** Rows before the end at which the next page is asked for. */
const foresight = 60

export function JobTable({ list, look, label, height }: TableProps): ReactElement {
  const { rows, query, filter } = list
  const box = useRef<HTMLUListElement>(null)
  const narrow = useMediaQuery('(width < 62em)', undefined, { getInitialValueInEffect: false })
  const size = narrow ? lineHeight.narrow : lineHeight.wide
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => size,
    overscan: 12,
    getItemKey: (index) => rows[index]?.id ?? index,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows have another height when the screen is turned
  useEffect(() => virtual.measure(), [size])
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && last >= rows.length - foresight) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage, last, rows.length])
  const step = (event: KeyboardEvent): void => {
    const by =
      event.key === 'j' || event.key === 'ArrowDown'
        ? 1
        : event.key === 'k' || event.key === 'ArrowUp'
          ? -1
          : 0
    if (by === 0 || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const at = Number(document.activeElement?.closest('li')?.dataset.index ?? -1)
    const next = Math.min(rows.length - 1, Math.max(0, at + by))
    virtual.scrollToIndex(next)
    requestAnimationFrame(() =>
      box.current?.querySelector<HTMLElement>(`li[data-index="${next}"] a`)?.focus(),
    )
  }
  return (
    <ul
      ref={box}
      className={styles.box}
      style={{ maxHeight: height }}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by the keyboard
      tabIndex={0}
      onKeyDown={step}
    >
      <li className={styles.space} style={{ height: virtual.getTotalSize() }} aria-hidden="true" />
      {items.map(({ key, index, start }) => {
        const job = rows[index]
        return (
          job && (
            <li
              key={key}
              data-index={index}
              className={styles.row}
              style={{ height: size, transform: `translateY(${start}px)` }}
            >
              <JobLine job={job} look={look} stray={isStray(filter, job)} />
            </li>
          )
        )
      })}
    </ul>
  )
}
