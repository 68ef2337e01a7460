// Who I am here, how the app looks, whether it may notify me, and leaving.

import {
  ActionIcon,
  Button,
  Popover,
  SegmentedControl,
  Stack,
  Text,
  useMantineColorScheme,
} from '@mantine/core'
import { routes } from '@millrace/protocol'
import { IconBell, IconLogout, IconUser } from '@tabler/icons-react'
import { type ReactElement, useState } from 'react'
import { call } from '../connection/api.ts'
import { endSession, session } from '../connection/session.ts'
import { useSignal } from '../connection/signal.ts'

export function UserMenu(): ReactElement {
  const who = useSignal(session)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    // Not a menu: what stands in one may only be its items.
    <Popover position="bottom-end" width={252} withinPortal trapFocus shadow="md">
      <Popover.Target>
        <ActionIcon size="lg" variant="default" aria-label={`${who?.user ?? 'You'}: account and look`}>
          <IconUser size={18} stroke={1.7} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={6}>
        <Stack gap={6}>
          <Text size="sm" c="dimmed" px="xs" pt={4}>
            Signed in as <strong>{who?.user}</strong> (role {who?.role})
          </Text>
          <SegmentedControl
            fullWidth
            size="xs"
            aria-label="Look"
            value={colorScheme}
            onChange={(value) => setColorScheme(value as 'light' | 'dark' | 'auto')}
            data={[
              { label: 'Light', value: 'light' },
              { label: 'Dark', value: 'dark' },
              { label: 'System', value: 'auto' },
            ]}
          />
          <NotificationItem />
          <Button {...itemLook} leftSection={<IconLogout size={16} />} onClick={() => void leave()}>
            Sign out
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

const itemLook = {
  variant: 'subtle',
  color: 'gray',
  justify: 'flex-start',
  fullWidth: true,
  size: 'sm',
} as const

/** The token is forgotten here whether or not the server could be told to revoke it. */
async function leave(): Promise<void> {
  await call(routes.logout, {}).catch(() => undefined)
  endSession('left')
}

function NotificationItem(): ReactElement | null {
  const supported = 'Notification' in globalThis
  const [permission, setPermission] = useState(supported ? Notification.permission : 'denied')
  if (!supported) return null
  if (permission === 'granted')
    return (
      <Text size="xs" c="dimmed" px="xs">
        You are notified when a job of yours ends.
      </Text>
    )
  if (permission === 'denied')
    return (
      <Text size="xs" c="dimmed" px="xs">
        Notifications are blocked by the browser.
      </Text>
    )
  return (
    <Button
      {...itemLook}
      leftSection={<IconBell size={16} />}
      onClick={() => void Notification.requestPermission().then(setPermission)}
    >
      Notify me when my jobs end
    </Button>
  )
}
