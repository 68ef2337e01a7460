// A runner imports the module that defines the extensions, and that module usually starts a worker as well. In a runner
// it must not: there, definitions are only collected. The mark is global so that two copies of the package agree.

import type { Extension } from '../extension/extension.ts'

const mark: unique symbol = Symbol.for('@millrace/worker/runner')

interface Marked {
  [mark]?: Extension[]
}

export function becomeRunner(): readonly Extension[] {
  const collected: Extension[] = []
  ;(globalThis as Marked)[mark] = collected
  return collected
}

export function isRunner(): boolean {
  return (globalThis as Marked)[mark] !== undefined
}

export function collectForRunner(extension: Extension): void {
  ;(globalThis as Marked)[mark]?.push(extension)
}
