// One's account: who I am here, being notified, the password, leaving. One file, loaded when it is first opened.

import './later-styles.ts'
import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { routes } from '@millrace/protocol'
import { IconBell, IconKey, IconLogout } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactElement, type SubmitEvent, useState } from 'react'
import { call } from '../connection/api.ts'
import { endSession, replaceSession, session } from '../connection/session.ts'
import { useSignal } from '../connection/signal.ts'
import { ProblemNote } from '../primitives/problem-note.tsx'
import { roomsQuery } from '../room/room-queries.ts'

export function AccountItems({ onPassword }: { readonly onPassword: () => void }): ReactElement {
  const who = useSignal(session)
  return (
    <>
      <Text size="sm" c="dimmed" px="xs" pt={4}>
        Signed in as <strong>{who?.user}</strong> (role {who?.role})
      </Text>
      <NotificationItem />
      {who?.role !== 'guest' && (
        <Button {...itemLook} leftSection={<IconKey size={16} />} onClick={onPassword}>
          Change my password
        </Button>
      )}
      <Button {...itemLook} leftSection={<IconLogout size={16} />} onClick={() => void leave()}>
        Sign out
      </Button>
    </>
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

async function changePassword(password: string): Promise<void> {
  const { user } = session.get() ?? { user: '' }
  await replaceSession(async () => {
    await call(routes.changeUser, { params: { user }, body: { password } })
    return call(routes.login, { body: { user, password } })
  })
}

export function PasswordDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  return (
    <Modal opened onClose={onClose} title="Change my password" closeButtonProps={{ 'aria-label': 'Close' }}>
      <PasswordForm onDone={onClose} />
    </Modal>
  )
}

function PasswordForm({ onDone }: { readonly onDone: () => void }): ReactElement {
  const client = useQueryClient()
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [differ, setDiffer] = useState(false)
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => changePassword(password),
    onSuccess: () => {
      notifications.show({
        message: 'Your password is changed. Everywhere else you are signed out.',
        withBorder: true,
      })
      onDone()
    },
    // If it was changed and only the new sign-in failed, whatever is asked next says that the session has ended.
    onError: () => void client.invalidateQueries({ queryKey: roomsQuery.queryKey }),
  })
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    setDiffer(password !== again)
    if (password === again) mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {error && <ProblemNote fault={error} />}
        <PasswordInput
          label="New password"
          description="8 characters or more"
          autoComplete="new-password"
          data-autofocus
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <PasswordInput
          label="The same again"
          autoComplete="new-password"
          required
          value={again}
          error={differ && 'These are not the same.'}
          onChange={(event) => {
            setAgain(event.currentTarget.value)
            setDiffer(false)
          }}
        />
        <Text size="sm" c="dimmed">
          You stay signed in here. Your other sessions end, and so do the tokens for workers that you made.
        </Text>
        <Group justify="flex-end">
          <Button type="submit" loading={isPending}>
            Change it
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
