// What to paste in a terminal to connect a worker, with a token for this room that ends by itself.

import '../shell/later-styles.ts'
import { Code, Group, Modal, Stack, Tabs, Text } from '@mantine/core'
import { routes, type WorkerToken } from '@millrace/protocol'
import { useMutation } from '@tanstack/react-query'
import { type ReactElement, useEffect } from 'react'
import { call } from '../connection/api.ts'
import { CopyButton } from '../primitives/copy-button.tsx'
import { instantText } from '../primitives/duration.ts'
import { ProblemNote } from '../primitives/problem-note.tsx'
import { connectSnippet } from './connect-snippet.ts'

interface DialogProps {
  readonly room: string
  readonly onClose: () => void
}

export function ConnectDialog({ room, onClose }: DialogProps): ReactElement {
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={`Connect a worker to ${room}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Snippets room={room} />
    </Modal>
  )
}

const tokenSeconds = 8 * 3_600

function Snippets({ room }: { readonly room: string }): ReactElement {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => call(routes.createToken, { body: { room, expiresInSeconds: tokenSeconds } }),
  })
  useEffect(() => mutate(), [mutate])
  return (
    <Stack>
      <Text size="sm">
        A worker is a process that serves extensions: on your laptop, on a GPU box, on a cluster node. It
        dials in and needs no open port. As soon as it is connected, its form appears in this room for
        everybody.
      </Text>
      <Text size="sm">
        Run these lines in the folder where Millrace is installed: on this machine, or on another one where
        you ran <Code>npm ci</Code> in a copy of it.
      </Text>
      {error && <ProblemNote fault={error} onRetry={() => mutate()} />}
      {isPending && <Text c="dimmed">Making a token for this room…</Text>}
      {data && <Languages room={room} token={data} />}
    </Stack>
  )
}

function Languages({ room, token }: { readonly room: string; readonly token: WorkerToken }): ReactElement {
  const place = { url: location.origin, room, token: token.token }
  return (
    <Tabs defaultValue="ts">
      <Tabs.List mb="sm">
        <Tabs.Tab value="ts">TypeScript</Tabs.Tab>
        <Tabs.Tab value="py">Python</Tabs.Tab>
      </Tabs.List>
      {(['ts', 'py'] as const).map((language) => (
        <Tabs.Panel key={language} value={language}>
          <Snippet text={connectSnippet(language, place)} />
        </Tabs.Panel>
      ))}
      <Text size="sm" c="dimmed" mt="sm">
        The token serves this room only and ends {instantText(token.expiresAt)}. Keep it to yourself until
        then.
      </Text>
    </Tabs>
  )
}

function Snippet({ text }: { readonly text: string }): ReactElement {
  return (
    <div style={{ position: 'relative' }}>
      <Code block fz="xs" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} tabIndex={0}>
        {text}
      </Code>
      <Group pos="absolute" top={6} right={6}>
        <CopyButton text={text} label="Copy" />
      </Group>
    </div>
  )
}
