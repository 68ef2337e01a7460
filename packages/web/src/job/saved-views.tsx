// Filters under a name, kept in this browser.

import { Button, Group, Menu, Text, TextInput } from '@mantine/core'
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
  const keep = (): void => {
    views.set([...kept.filter((view) => view.name !== name), { name, search }])
    setName('')
  }
  return (
    <Menu position="bottom-end" width={260} closeOnItemClick={false}>
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<IconBookmark size={14} />}>
          Views
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {kept.length === 0 && (
          <Text size="sm" c="dimmed" p="xs">
            Keep what you often look for under a name.
          </Text>
        )}
        {kept.map((view) => (
          <Group key={view.name} gap={4} wrap="nowrap" pr={6}>
            <Menu.Item closeMenuOnClick onClick={() => setSearch(view.search)}>
              {view.name}
            </Menu.Item>
            <IconButton
              label={`Forget ${view.name}`}
              icon={IconTrash}
              onClick={() => views.set(kept.filter((each) => each !== view))}
            />
          </Group>
        ))}
        <Menu.Divider />
        <Group gap={6} p={6} wrap="nowrap">
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
      </Menu.Dropdown>
    </Menu>
  )
}
