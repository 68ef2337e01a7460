// Sums over many jobs are not patched event by event: their pages are told that something moved, and fetch again. At once
// for the first, and then no more often than a page says, however many events come.

import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { atMostEvery } from './at-most-every.ts'

const ears = new Set<() => void>()

export function stir(): void {
  for (const heard of ears) heard()
}

/** Fetches what is behind a key again when something moves. */
export function useStirred(key: QueryKey, everyMs: number): void {
  const client = useQueryClient()
  const name = JSON.stringify(key)
  useEffect(() => {
    const queryKey = JSON.parse(name) as QueryKey
    const { call, stop } = atMostEvery(everyMs, () => void client.invalidateQueries({ queryKey }))
    ears.add(call)
    return () => {
      ears.delete(call)
      stop()
    }
  }, [client, name, everyMs])
}
