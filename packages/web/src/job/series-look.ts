// How the series of a figure are told apart: by their colours, and for whoever cannot tell those by dashes, strokes and
// shapes. Bars stand beside each other instead.

export interface SeriesLook {
  readonly colour: string
  /** Of a line, as SVG has it; undefined is a solid one. */
  readonly dash: string | undefined
  readonly strokePx: number
  /** Of a point: a path around the origin. */
  readonly shape: string
  readonly hollow: boolean
}

const colours = ['--mantine-primary-color-filled', '--state-running', '--state-assigned', '--state-failed']

const dashes = [undefined, '7 4', '2 3', '10 3 2 3', '14 5', '6 3 2 3 2 3']

const shapes = [
  'M-2.6 0a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0 -5.2 0Z',
  'M-2.5 -2.5H2.5V2.5H-2.5Z',
  'M0 -3.4L3.3 2.6H-3.3Z',
  'M0 -3.8L3.2 0L0 3.8L-3.2 0Z',
  'M0 3.4L3.3 -2.6H-3.3Z',
  'M-3.4 -1H-1V-3.4H1V-1H3.4V1H1V3.4H-1V1H-3.4Z',
]

/** Each differs from the others without its colour; after twice six they begin again, and no figure has more. */
export function lookOfSeries(index: number): SeriesLook {
  const second = Math.floor(index / dashes.length) % 2 === 1
  return {
    colour: `var(${colours[index % colours.length]})`,
    dash: dashes[index % dashes.length],
    strokePx: second ? 3 : 1.4,
    shape: shapes[index % shapes.length] ?? '',
    hollow: second,
  }
}
