// Who I am here, how the app looks, whether it may notify me, and leaving.

import { ActionIcon, Menu, SegmentedControl, Text, useMantineColorScheme } from '@mantine/core'
import { routes } from '@millrace/protocol'
import { IconBell, IconBellOff, IconLogout, IconUser } from '@tabler/icons-react'
import { type ReactElement, useState } from 'react'
import { call } from '../connection/api.ts'
import { endSession, session } from '../connection/session.ts'
import { useSignal } from '../connection/signal.ts'

export function UserMenu(): ReactElement {
  const who = useSignal(session)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Menu position="bottom-end" width={240} withinPortal>
      <Menu.Target>
        <ActionIcon size="lg" variant="default" aria-label={`${who?.user ?? 'You'}: account and look`}>
          <IconUser size={18} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          Signed in as <strong>{who?.user}</strong> (role {who?.role})
        </Menu.Label>
        <SegmentedControl
          fullWidth
          size="xs"
          m={6}
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
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void leave()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

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
      <Menu.Label>
        <Text size="xs">You are notified when a job of yours ends.</Text>
      </Menu.Label>
    )
  const refused = permission === 'denied'
  return (
    <Menu.Item
      disabled={refused}
      closeMenuOnClick={false}
      leftSection={refused ? <IconBellOff size={16} /> : <IconBell size={16} />}
      onClick={() => void Notification.requestPermission().then(setPermission)}
    >
      {refused ? 'Notifications are blocked by the browser' : 'Notify me when my jobs end'}
    </Menu.Item>
  )
}
