// The built-in extensions. Runners of the pool import this module.

import type { Extension } from '@millrace/worker'
import { histogram } from './histogram/histogram-extension.ts'
import { lorenzAttractor } from './lorenz-attractor/lorenz-attractor-extension.ts'
import { monteCarloPi } from './monte-carlo-pi/monte-carlo-pi-extension.ts'

export const builtinExtensions: readonly Extension[] = [
  histogram as Extension,
  monteCarloPi as Extension,
  lorenzAttractor as Extension,
]

export const builtinsModule: string = import.meta.url
