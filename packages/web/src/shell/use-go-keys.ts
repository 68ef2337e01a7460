// `g` and then a letter leads to a page, as the sheet behind `?` says.

import { useEffect } from 'react'
import { go } from './go.tsx'
import { isForPage } from './page-key.ts'
import { listedPages } from './pages.ts'

/** Longer in between, and the letter stands for itself. */
const patienceMs = 1_200

export function useGoKeys(): void {
  useEffect(() => {
    let armedAt = Number.NEGATIVE_INFINITY
    const heard = (event: KeyboardEvent): void => {
      if (!isForPage(event)) return
      const page = listedPages.find(({ key }) => key === event.key)
      if (page && event.timeStamp - armedAt < patienceMs) {
        event.preventDefault()
        go(page.to)
      }
      armedAt = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
    }
    addEventListener('keydown', heard)
    return () => removeEventListener('keydown', heard)
  }, [])
}
