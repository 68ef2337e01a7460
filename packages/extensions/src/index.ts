// The built-in extensions, and the shape of the figures that come with results.

export { builtinExtensions, builtinsModule } from './builtins.ts'
export type { Axis, Figure, Series } from './figure.ts'
