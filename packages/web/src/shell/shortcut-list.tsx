// What the keyboard does.

import './later-styles.ts'
import { Group, Kbd, Modal, Stack, Text } from '@mantine/core'
import type { ReactElement } from 'react'
import { listedPages } from './pages.ts'

const shortcuts: readonly (readonly [string, readonly string[]])[] = [
  ['Find anything, do anything', ['Ctrl', 'K']],
  ['This sheet', ['?']],
  ...listedPages.map(({ name, key }): readonly [string, readonly string[]] => [`To ${name}`, ['g', key]]),
  ['In a list: down, up', ['j', 'k']],
  ['In a list: open the job', ['Enter']],
  ['Run the form', ['Ctrl', 'Enter']],
  ['On a job: cancel', ['c']],
  ['On a job: retry', ['r']],
  ['On a job: edit and rerun', ['e']],
]

export function ShortcutList({ onClose }: { readonly onClose: () => void }): ReactElement {
  return (
    <Modal opened onClose={onClose} title="Keyboard" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap={8}>
        {shortcuts.map(([what, keys]) => (
          <Group key={what} justify="space-between">
            <Text size="sm">{what}</Text>
            <Group gap={4}>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </Group>
          </Group>
        ))}
      </Stack>
    </Modal>
  )
}
