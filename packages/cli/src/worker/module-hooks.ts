// What a worker's file needs of Node's module loader: it loads wherever it lies, and every file that it is made of is
// told, so that a change of any of them can be seen.

import { type ResolveFnOutput, type ResolveHookSync, registerHooks } from 'node:module'

const sdk = '@millrace/worker'

/**
 * A file outside of any project gets what one would give it: the SDK, which is the one that this command came with, and
 * that it is a module, about which Node would otherwise warn.
 */
export function lendProject(): void {
  registerHooks({
    resolve: (specifier, context, next) => {
      const found = resolveWith(specifier, context, next)
      return found.format == null && found.url.endsWith('.ts')
        ? { ...found, format: 'module-typescript' }
        : found
    },
  })
}

function resolveWith(...[specifier, context, next]: Parameters<ResolveHookSync>): ResolveFnOutput {
  try {
    return next(specifier, context)
  } catch (error) {
    if (specifier !== sdk) throw error
    return next(specifier, { ...context, parentURL: import.meta.url })
  }
}

/** Tells the entry and whatever it imports by path, at any depth; what comes from packages is not one's own. */
export function tellFiles(entry: string, tell: (url: string) => void): void {
  const own = new Set<string>()
  const add = (url: string): void => {
    if (own.has(url)) return
    own.add(url)
    tell(url)
  }
  add(entry)
  registerHooks({
    resolve: (specifier, context, next) => {
      const isOwn =
        context.parentURL !== undefined && own.has(context.parentURL) && /^[./]|^file:/.test(specifier)
      // Before it is found: a file that is missing may appear, and that is a change too.
      if (isOwn) add(new URL(specifier, context.parentURL).href)
      return next(specifier, context)
    },
  })
}
