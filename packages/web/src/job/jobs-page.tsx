// probe
import type { ReactElement } from 'react'
export function JobsPage(): ReactElement {
  return <p>room</p>
}
