// Signing in: by the link that the server printed, with a password, or as a guest where guests are welcome.

import { Button, Divider, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { routes } from '@millrace/protocol'
import { useMutation } from '@tanstack/react-query'
import { type ReactElement, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { call } from '../connection/api.ts'
import { ApiProblem } from '../connection/api-problem.ts'
import { beginSession, session, sessionEnd } from '../connection/session.ts'
import { useSignal } from '../connection/signal.ts'
import { ProblemNote } from '../primitives/problem-note.tsx'
import { useSearch } from '../shell/address.ts'
import { go } from '../shell/go.tsx'
import { Logo } from '../shell/logo.tsx'
import styles from './sign-in-page.module.css'

export function SignInPage(): ReactElement {
  const search = useSearch()
  const end = useSignal(sessionEnd)
  return (
    <main className={styles.page}>
      <Stack gap="lg" w="min(24rem, 100%)">
        <Logo size={34} />
        <div>
          <Title order={1}>Sign in</Title>
          <Text c="dimmed">Typed jobs on whatever compute a group already has, live in a shared room.</Text>
        </div>
        {end === 'expired' && (
          <Text c="var(--word-assigned)" role="status">
            Your session has ended. Sign in again and go on where you were.
          </Text>
        )}
        <Paper p="lg" bg="var(--raised)">
          {search.code === undefined ? <Ways /> : <ByCode code={search.code} />}
        </Paper>
        <Text size="sm" c="dimmed">
          No account? Whoever runs this server can make one, or sends you a link that signs you in. On your
          own machine <code>npm start</code> prints one.
        </Text>
      </Stack>
    </main>
  )
}

function enter(next: string | undefined): void {
  // Only ways inside the app: an address that somebody put into a link must not lead away from it.
  go(next?.startsWith('/') === true && !next.startsWith('//') ? next : '/', 'replace')
}

/** The code counts once; React runs effects twice while developing. */
function ByCode({ code }: { readonly code: string }): ReactElement {
  const used = useRef('')
  const { mutate, error } = useMutation({
    mutationFn: () => call(routes.login, { body: { code } }),
    onSuccess: (begun) => {
      beginSession(begun)
      enter(undefined)
    },
    onError: () => {
      // A link that was followed twice: whoever is signed in already simply goes on.
      if (session.get() !== null) enter(undefined)
    },
  })
  useEffect(() => {
    if (used.current === code) return
    used.current = code
    mutate()
  }, [code, mutate])
  if (!error) return <Text>Signing in…</Text>
  return (
    <Stack>
      <ProblemNote fault={error} />
      <Text size="sm">
        A link signs in once, within 15 minutes. Start the server again for another, or use a password.
      </Text>
      <Ways />
    </Stack>
  )
}

function Ways(): ReactElement {
  return (
    <Stack>
      <ByPassword />
      <Divider label="or" />
      <AsGuest />
    </Stack>
  )
}

function ByPassword(): ReactElement {
  const { next } = useSearch()
  const [user, setUser] = useState('')
  const [password, setPassword] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => call(routes.login, { body: { user, password } }),
    onSuccess: (begun) => {
      beginSession(begun)
      enter(next)
    },
  })
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="Name"
          autoComplete="username"
          autoFocus
          required
          value={user}
          onChange={(event) => setUser(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {error && <ProblemNote fault={error} />}
        <Button type="submit" loading={isPending} fullWidth>
          Sign in
        </Button>
      </Stack>
    </form>
  )
}

function AsGuest(): ReactElement {
  const { next } = useSearch()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => call(routes.enterAsGuest, {}),
    onSuccess: (begun) => {
      beginSession(begun)
      enter(next)
    },
  })
  const closed = error instanceof ApiProblem && error.status === 403
  return (
    <Stack gap="xs">
      <Button variant="default" fullWidth loading={isPending} disabled={closed} onClick={() => mutate()}>
        Look around as a guest
      </Button>
      {error && <ProblemNote fault={error} />}
    </Stack>
  )
}
