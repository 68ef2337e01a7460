// How long ago, with the instant itself for whoever points at it.

import type { ReactElement } from 'react'
import { agoText, instantText } from './duration.ts'
import { useNowText } from './use-now.ts'

export function Ago({ at }: { readonly at: number }): ReactElement {
  const text = useNowText((now) => agoText(at, now))
  return (
    <time dateTime={new Date(at).toISOString()} title={instantText(at)}>
      {text}
    </time>
  )
}
