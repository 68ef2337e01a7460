// Whether what a box holds is wider than the box.

import { type RefObject, useLayoutEffect, useState } from 'react'

export function useOverflows(box: RefObject<HTMLElement | null>): boolean {
  const [overflows, setOverflows] = useState(false)
  useLayoutEffect(() => {
    const { current } = box
    if (!current) return
    const watch = new ResizeObserver(() => setOverflows(current.scrollWidth > current.clientWidth))
    // Either may change alone: the box with the window, what is in it with new rows.
    for (const element of [current, ...current.children]) watch.observe(element)
    return () => watch.disconnect()
  }, [box])
  return overflows
}
