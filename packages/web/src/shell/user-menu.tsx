// How the app looks, and the way to one's account, which is loaded when it is first opened.

import { ActionIcon, Popover, SegmentedControl, Stack, useMantineColorScheme } from '@mantine/core'
import { IconUser } from '@tabler/icons-react'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import { session } from '../connection/session.ts'
import { useSignal } from '../connection/signal.ts'

const AccountItems = lazy(async () => ({ default: (await import('./account.tsx')).AccountItems }))
const PasswordDialog = lazy(async () => ({ default: (await import('./account.tsx')).PasswordDialog }))

export function UserMenu(): ReactElement {
  const who = useSignal(session)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [shown, setShown] = useState<'menu' | 'password' | null>(null)
  const close = (): void => setShown(null)
  return (
    // Not a menu: what stands in one may only be its items.
    <Popover
      opened={shown === 'menu'}
      onDismiss={close}
      position="bottom-end"
      width={288}
      withinPortal
      trapFocus
      returnFocus
      shadow="md"
    >
      <Popover.Target>
        <ActionIcon
          size="lg"
          variant="default"
          aria-label={`${who?.user ?? 'You'}: account and look`}
          onClick={() => setShown(shown ? null : 'menu')}
        >
          <IconUser size={18} stroke={1.7} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={6}>
        <Stack gap={6}>
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
          <Suspense fallback={null}>
            <AccountItems onPassword={() => setShown('password')} />
          </Suspense>
        </Stack>
      </Popover.Dropdown>
      <Suspense fallback={null}>{shown === 'password' && <PasswordDialog onClose={close} />}</Suspense>
    </Popover>
  )
}
