// A token with which a pool on another machine may serve.

import { Button, Code, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { routes } from '@millrace/protocol'
import { IconKey } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { call } from '../connection/api.ts'
import { CopyButton } from '../primitives/copy-button.tsx'
import { instantText } from '../primitives/duration.ts'
import { ProblemNote } from '../primitives/problem-note.tsx'
import { tokensKey } from './token-queries.ts'

const weekSeconds = 7 * 86_400

export function PoolToken(): ReactElement {
  const client = useQueryClient()
  const [opened, { open, close }] = useDisclosure()
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: () => call(routes.createToken, { body: { pool: true, expiresInSeconds: weekSeconds } }),
    onSuccess: () => client.invalidateQueries({ queryKey: tokensKey }),
  })
  const begin = (): void => {
    reset()
    open()
  }
  return (
    <>
      <Button size="xs" variant="default" leftSection={<IconKey size={15} />} onClick={begin}>
        Token for a pool
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title="A token for a pool"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Stack>
          <Text size="sm">
            With it a pool on another machine runs the built-in extensions for every room. It holds for a
            week.
          </Text>
          {error && <ProblemNote fault={error} />}
          {data ? (
            <>
              <Group wrap="nowrap" align="flex-start">
                <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
                  {data.token}
                </Code>
                <CopyButton text={data.token} label="Copy the token" />
              </Group>
              <Text size="sm" c="dimmed">
                Shown once. It ends {instantText(data.expiresAt)}.
              </Text>
            </>
          ) : (
            <Group justify="flex-end">
              <Button loading={isPending} onClick={() => mutate()}>
                Make the token
              </Button>
            </Group>
          )}
        </Stack>
      </Modal>
    </>
  )
}
