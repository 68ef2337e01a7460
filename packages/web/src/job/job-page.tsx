// probe
import type { ReactElement } from 'react'
export function JobPage(): ReactElement {
  return <p>room</p>
}
