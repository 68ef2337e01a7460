// The pages that the navigation, the palette and the keyboard lead to. A page that does not exist is not listed.

import {
  IconChartHistogram,
  IconDoor,
  IconListDetails,
  IconMailX,
  IconPuzzle,
  IconRoute,
  IconServer2,
  IconSettings,
  type TablerIcon,
} from '@tabler/icons-react'
import { session } from '../connection/session.ts'
import { useSignal } from '../connection/signal.ts'
import { places } from './places.ts'

export interface ListedPage {
  readonly name: string
  readonly to: string
  readonly icon: TablerIcon
  /** After `g`. */
  readonly key: string
  readonly for?: 'admin'
}

export const listedPages: readonly ListedPage[] = [
  { name: 'Rooms', to: places.rooms, icon: IconDoor, key: 'r' },
  { name: 'Jobs', to: places.jobs, icon: IconListDetails, key: 'j' },
  { name: 'Extensions', to: places.extensions, icon: IconPuzzle, key: 'e' },
  { name: 'Workers', to: places.workers, icon: IconServer2, key: 'w' },
  { name: 'Dead letters', to: places.deadLetters, icon: IconMailX, key: 'd' },
  { name: 'Placement', to: places.placement, icon: IconRoute, key: 'p' },
  { name: 'Overview', to: places.overview, icon: IconChartHistogram, key: 'o' },
  { name: 'Admin', to: places.admin, icon: IconSettings, key: 'a', for: 'admin' },
]

/** Those that are of use to whoever is signed in. */
export function useListedPages(): readonly ListedPage[] {
  const role = useSignal(session)?.role
  return listedPages.filter((page) => page.for === undefined || page.for === role)
}
