// Data and results for the eye: JSON, but a list of numbers is one line, and where somebody looks at a terminal a long
// one is cut to its beginning. What goes into a pipe or a file is whole.

export interface ValueView {
  /** Nobody scrolls through the ten thousand numbers of a figure. */
  readonly brief: boolean
}

const mostItems = 8
const shownItems = 3
const mostCharacters = 400

export function showValue(value: unknown, { brief }: ValueView, indent = ''): string {
  if (Array.isArray(value)) return showList(value, brief, indent)
  if (typeof value !== 'object' || value === null) return showScalar(value, brief)
  const inner = `${indent}  `
  const entries = Object.entries(value).map(
    ([key, one]) => `${inner}${JSON.stringify(key)}: ${showValue(one, { brief }, inner)}`,
  )
  return entries.length === 0 ? '{}' : `{\n${entries.join(',\n')}\n${indent}}`
}

function showList(list: readonly unknown[], brief: boolean, indent: string): string {
  const isCut = brief && list.length > mostItems
  const shown = isCut ? list.slice(0, shownItems) : list
  const rest = isCut ? [`… ${list.length - shownItems} more`] : []
  if (list.every((one) => typeof one !== 'object' || one === null)) {
    return `[${[...shown.map((one) => showScalar(one, brief)), ...rest].join(', ')}]`
  }
  const inner = `${indent}  `
  const lines = [...shown.map((one) => showValue(one, { brief }, inner)), ...rest]
  return `[\n${lines.map((line) => `${inner}${line}`).join(',\n')}\n${indent}]`
}

function showScalar(value: unknown, brief: boolean): string {
  const text = JSON.stringify(value) ?? 'null'
  return brief && text.length > mostCharacters
    ? `${text.slice(0, mostCharacters)}… (${text.length} characters)`
    : text
}
