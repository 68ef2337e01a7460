// The way to the palette, which is loaded when it is first opened.

import { ActionIcon, Button, Kbd } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { lazy, type ReactElement, Suspense, useState } from 'react'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

export function PaletteDoor(): ReactElement {
  const [wanted, setWanted] = useState(0)
  const open = (): void => setWanted((times) => times + 1)
  // Also for whoever is typing somewhere: nothing that is typed has this key.
  useHotkeys([['mod+K', open]], [])
  return (
    <>
      <Button
        visibleFrom="md"
        variant="default"
        size="xs"
        color="gray"
        leftSection={<IconSearch size={15} />}
        rightSection={<Kbd size="xs">Ctrl K</Kbd>}
        onClick={open}
        fw={450}
      >
        Find or do
      </Button>
      <ActionIcon hiddenFrom="md" size="lg" variant="default" aria-label="Find or do" onClick={open}>
        <IconSearch size={17} />
      </ActionIcon>
      <Suspense fallback={null}>{wanted > 0 && <Palette wanted={wanted} />}</Suspense>
    </>
  )
}
