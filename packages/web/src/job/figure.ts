// The figure that a result may carry: one x-axis and series over it. A result is whatever a worker sent, so it is looked
// at closely before it is drawn.

export interface Figure {
  readonly kind: 'line' | 'bar' | 'scatter'
  readonly title: string
  readonly x: { readonly label: string; readonly values: readonly number[] }
  readonly y: { readonly label: string }
  readonly series: readonly { readonly label: string; readonly values: readonly (number | null)[] }[]
}

/** More points than this are a mistake, and would stop the page. */
const mostPoints = 20_000
export const mostSeries = 12

export function figureOf(result: unknown): Figure | null {
  const figure = fieldOf(result, 'figure')
  const kind = fieldOf(figure, 'kind')
  const x = fieldOf(figure, 'x')
  const values = fieldOf(x, 'values')
  const series = fieldOf(figure, 'series')
  if (kind !== 'line' && kind !== 'bar' && kind !== 'scatter') return null
  if (!isNumbers(values) || values.length === 0 || values.length > mostPoints) return null
  if (!Array.isArray(series) || series.length === 0 || series.length > mostSeries) return null
  const lines = series.map((each) => ({ label: textOf(each, 'label'), values: fieldOf(each, 'values') }))
  if (!lines.every((line) => isGaps(line.values) && line.values.length === values.length)) return null
  return {
    kind,
    title: textOf(figure, 'title'),
    x: { label: textOf(x, 'label'), values },
    y: { label: textOf(fieldOf(figure, 'y'), 'label') },
    series: lines as Figure['series'],
  }
}

/** What the result says beside its figure. */
export function withoutFigure(result: unknown): unknown {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return result
  const { figure: _figure, ...rest } = result as Record<string, unknown>
  return rest
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

function textOf(value: unknown, name: string): string {
  const text = fieldOf(value, name)
  return typeof text === 'string' ? text : ''
}

function isNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every(Number.isFinite)
}

function isGaps(value: unknown): value is readonly (number | null)[] {
  return Array.isArray(value) && value.every((each) => each === null || Number.isFinite(each))
}
