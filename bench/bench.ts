// What a bench is: something with a name that measures, tells how it went while it runs, and ends with figures. The
// unit of a figure is part of its name.

export interface Bench {
  readonly name: string
  run(report: (line: string) => void): Promise<Figures>
}

export type Figures = Readonly<Record<string, number>>
