// Which room one is in, and the way to the others.

import { Button, Menu, ScrollArea, Text } from '@mantine/core'
import { IconCheck, IconChevronDown, IconDoor, IconLock } from '@tabler/icons-react'
import type { ReactElement } from 'react'
import { roomOfPath, usePath } from '../shell/address.ts'
import { go } from '../shell/go.tsx'
import { placeOfRoom, places } from '../shell/places.ts'
import { useRooms } from './room-queries.ts'

export function RoomSwitcher(): ReactElement {
  const { data: rooms = [] } = useRooms()
  const room = roomOfPath(usePath())
  return (
    <Menu position="bottom-start" width={240}>
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconDoor size={15} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          aria-label={`${room ?? 'All rooms'}: choose a room`}
          maw={{ base: 150, sm: 260 }}
        >
          {room ?? 'All rooms'}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <ScrollArea.Autosize mah={360}>
          {rooms.map(({ name, access }) => (
            <Menu.Item
              key={name}
              onClick={() => go(placeOfRoom(name))}
              leftSection={name === room ? <IconCheck size={15} /> : <IconDoor size={15} />}
              rightSection={access === 'private' ? <IconLock size={14} aria-label="private" /> : undefined}
            >
              {name}
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
        {rooms.length === 0 && (
          <Text size="sm" c="dimmed" p="xs">
            There is no room yet.
          </Text>
        )}
        <Menu.Divider />
        <Menu.Item onClick={() => go(places.rooms)}>All rooms…</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
