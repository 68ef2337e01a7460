// How long ago, with the instant itself for whoever points at it.

import type { ReactElement } from 'react'
import { agoText, instantText } from './duration.ts'
import { useNow } from './use-now.ts'

export function Ago({ at }: { readonly at: number }): ReactElement {
  const now = useNow()
  return (
    <time dateTime={new Date(at).toISOString()} title={instantText(at)}>
      {agoText(at, now)}
    </time>
  )
}
