// The pages that the navigation, the palette and the keyboard lead to. A page that does not exist is not listed.

import { IconDoor, IconListDetails, type TablerIcon } from '@tabler/icons-react'
import { places } from './places.ts'

export interface ListedPage {
  readonly name: string
  readonly to: string
  readonly icon: TablerIcon
  /** After `g`. */
  readonly key: string
}

export const listedPages: readonly ListedPage[] = [
  { name: 'Rooms', to: places.rooms, icon: IconDoor, key: 'r' },
  { name: 'Jobs', to: places.jobs, icon: IconListDetails, key: 'j' },
]
