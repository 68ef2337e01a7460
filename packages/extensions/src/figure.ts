// A drawing that comes with a result, as data: the web app draws it, a script reads it, and neither has to know the
// extension. One x-axis and any number of series over it is what a person can compare at a glance; whoever wants more
// shows numbers. A result that has a figure has it under `figure`, beside whatever else it says.

export interface Figure {
  /** `line` joins the points in the order given, so x may turn back and draw a path; `bar` stands on 0. */
  readonly kind: 'line' | 'bar' | 'scatter'
  readonly title: string
  readonly x: Axis
  readonly y: { readonly label: string }
  /** Each has as many values as x, and at least one is there. */
  readonly series: readonly Series[]
}

export interface Axis {
  readonly label: string
  readonly values: readonly number[]
}

export interface Series {
  readonly label: string
  /** Null where there is no value: a gap in the line. */
  readonly values: readonly (number | null)[]
}

/** More points than a screen has columns show nothing, and a result may have 1 MB. */
export const maxFigurePoints = 2_000
