// probe
import type { ReactElement } from 'react'
export function RoomPage(): ReactElement {
  return <p>room</p>
}
