// JSON to look through: what is deep is folded, what is long is cut and says so. Everything is shown as text.

import { type ReactElement, useState } from 'react'
import styles from './json-view.module.css'

/** More entries at once make a page slow and show nobody anything. */
const firstEntries = 50
const longText = 400

interface NodeProps {
  readonly name?: string
  readonly value: unknown
  readonly depth: number
}

export function JsonView({ value }: { readonly value: unknown }): ReactElement {
  return (
    <div className={styles.json}>
      <JsonNode value={value} depth={0} />
    </div>
  )
}

function JsonNode({ name, value, depth }: NodeProps): ReactElement {
  if (typeof value !== 'object' || value === null) {
    return (
      <div className={styles.leaf}>
        {name !== undefined && <span className={styles.name}>{name}</span>}
        <Leaf value={value} />
      </div>
    )
  }
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value)
  const size = Array.isArray(value) ? `${entries.length} items` : `${entries.length} fields`
  if (depth === 0 && entries.length > 0) return <Entries entries={entries} depth={depth} />
  return (
    <details open={depth < 2 && entries.length <= 12}>
      <summary>
        {name !== undefined && <span className={styles.name}>{name}</span>}
        <span className={styles.size}>{size}</span>
        {isNumbers(value) && <span className={styles.preview}>{previewOf(value)}</span>}
      </summary>
      <Entries entries={entries} depth={depth} />
    </details>
  )
}

function Entries({
  entries,
  depth,
}: {
  readonly entries: readonly (readonly [string, unknown])[]
  readonly depth: number
}): ReactElement {
  const [shown, setShown] = useState(firstEntries)
  return (
    <div className={depth === 0 ? undefined : styles.nested}>
      {entries.slice(0, shown).map(([key, each]) => (
        <JsonNode key={key} name={key} value={each} depth={depth + 1} />
      ))}
      {entries.length > shown && (
        <button type="button" className={styles.more} onClick={() => setShown(shown + 10 * firstEntries)}>
          {entries.length - shown} more
        </button>
      )}
    </div>
  )
}

function Leaf({ value }: { readonly value: unknown }): ReactElement {
  const [whole, setWhole] = useState(false)
  if (typeof value !== 'string') return <span className={styles[kindOf(value)]}>{String(value)}</span>
  const cut = !whole && value.length > longText
  return (
    <span className={styles.text}>
      {cut ? `${value.slice(0, longText)}…` : value || '""'}
      {cut && (
        <button type="button" className={styles.more} onClick={() => setWhole(true)}>
          all {value.length} characters
        </button>
      )}
    </span>
  )
}

function kindOf(value: unknown): 'number' | 'word' {
  return typeof value === 'number' ? 'number' : 'word'
}

function isNumbers(value: object): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'number')
}

function previewOf(numbers: readonly number[]): string {
  const some = numbers.slice(0, 4).map((each) => Number(each.toPrecision(5)))
  return `${some.join(', ')}${numbers.length > 4 ? ', …' : ''}`
}
