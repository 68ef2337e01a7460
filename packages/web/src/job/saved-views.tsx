// Filters under a name, kept in this browser.

import { Button, Group, Popover, Stack, Text, TextInput } from '@mantine/core'
import { IconBookmark, IconTrash } from '@tabler/icons-react'
import { type ReactElement, useState } from 'react'
import { createSignal, type Signal, useSignal } from '../connection/signal.ts'
import { IconButton } from '../primitives/icon-button.tsx'
import { setSearch, useSearch } from '../shell/address.ts'

interface View {
  readonly name: string
  readonly search: Readonly<Record<string, string>>
}

const key = 'millrace.views'

const views: Signal<readonly View[]> = createSignal(read(), (next) => {
  try {
    localStorage.setItem(key, JSON.stringify(next))
  } catch {
    // A browser that keeps nothing has them until the tab is closed.
  }
})

function read(): readonly View[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? (kept as View[]) : []
  } catch {
    return []
  }
}

export function SavedViews(): ReactElement {
  const kept = useSignal(views)
  const search = useSearch() as Readonly<Record<string, string>>
  const [name, setName] = useState('')
  const [opened, setOpened] = useState(false)
  const keep = (): void => {
    views.set([...kept.filter((view) => view.name !== name), { name, search }])
    setName('')
  }
  return (
    // Not a menu: what stands in one may only be its items.
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={260} trapFocus shadow="md">
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconBookmark size={14} />}
          onClick={() => setOpened(!opened)}
        >
          Views
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={6}>
        <Stack gap={6}>
          {kept.length === 0 && (
            <Text size="sm" c="dimmed" px={6}>
              Keep what you often look for under a name.
            </Text>
          )}
          {kept.map((view) => (
            <Group key={view.name} gap={4} wrap="nowrap">
              <Button
                variant="subtle"
                color="gray"
                size="xs"
                flex={1}
                justify="flex-start"
                onClick={() => {
                  setOpened(false)
                  setSearch(view.search)
                }}
              >
                {view.name}
              </Button>
              <IconButton
                label={`Forget ${view.name}`}
                icon={IconTrash}
                onClick={() => views.set(kept.filter((each) => each !== view))}
              />
            </Group>
          ))}
          <Group gap={6} wrap="nowrap">
            <TextInput
              size="xs"
              aria-label="Name of the view"
              placeholder="Name of this view"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button size="xs" disabled={name.trim() === ''} onClick={keep}>
              Keep
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
