// What the address bar says beyond the path.

import { useRouterState } from '@tanstack/react-router'
import { useMemo } from 'react'
import { browserHistory } from './browser-history.ts'

export function useSearch(): Readonly<Record<string, string | undefined>> {
  const text = useRouterState({ select: ({ location }) => location.searchStr })
  return useMemo(() => Object.fromEntries(new URLSearchParams(text)), [text])
}

export function usePath(): string {
  return useRouterState({ select: ({ location }) => location.pathname })
}

export function roomOfPath(path: string): string | null {
  const found = /^\/rooms\/([^/]+)/.exec(path)
  return found ? decodeURIComponent(found[1] ?? '') : null
}

/** Leaves the path as it is; what a person types must not fill the history. */
export function setSearch(search: Readonly<Record<string, string>>): void {
  const { pathname } = browserHistory.location
  const text = new URLSearchParams(search).toString()
  browserHistory.replace(text === '' ? pathname : `${pathname}?${text}`)
}
