// Stands in for the address library behind references in schemas: ours are put in place before a form sees them, and none
// leads out of its schema.

interface PlainUri {
  readonly resolve: (base: string, relative: string) => string
  readonly equal: (a: unknown, b: unknown) => boolean
}

const plainUri: PlainUri = {
  resolve: (base, relative) => (relative === '' ? base : relative),
  equal: (a, b) => a === b,
}

export default plainUri
