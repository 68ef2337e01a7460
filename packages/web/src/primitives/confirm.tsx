// Asks once more before something is done that cannot be taken back.

import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'
import { ProblemNote } from './problem-note.tsx'

interface ConfirmProps {
  readonly title: string
  readonly children: ReactNode
  /** What the button says. */
  readonly act: string
  readonly leave?: string
  readonly danger?: boolean
  readonly disabled?: boolean
  readonly pending: boolean
  readonly fault?: unknown
  readonly onAct: () => void
  readonly onClose: () => void
}

export function Confirm(props: ConfirmProps): ReactElement {
  const { title, children, act, leave = 'Leave it', danger, disabled = false, pending, fault } = props
  return (
    <Modal opened onClose={props.onClose} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack>
        {fault !== undefined && fault !== null && <ProblemNote fault={fault} />}
        <Text component="div">{children}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose}>
            {leave}
          </Button>
          <Button
            color={danger ? 'red' : 'race'}
            data-autofocus
            disabled={disabled}
            loading={pending}
            onClick={props.onAct}
          >
            {act}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
