// What the keyboard does, behind `?`.

import { Group, Kbd, Modal, NavLink, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconKeyboard } from '@tabler/icons-react'
import { type ReactElement, useEffect } from 'react'
import styles from './frame.module.css'
import { listedPages } from './pages.ts'
import { isTyping } from './use-go-keys.ts'

const shortcuts: readonly (readonly [string, readonly string[]])[] = [
  ['Find anything, do anything', ['Ctrl', 'K']],
  ['This sheet', ['?']],
  ...listedPages.map(({ name, key }): readonly [string, readonly string[]] => [`To ${name}`, ['g', key]]),
  ['In a list: down, up', ['j', 'k']],
  ['In a list: open the job', ['Enter']],
  ['Run the form', ['Ctrl', 'Enter']],
  ['On a job: cancel', ['c']],
  ['On a job: run again', ['r']],
  ['On a job: edit and rerun', ['e']],
]

export function ShortcutSheet(): ReactElement {
  const [opened, { open, close, toggle }] = useDisclosure()
  useEffect(() => {
    const heard = (event: KeyboardEvent): void => {
      if (event.key === '?' && !isTyping(event)) toggle()
    }
    addEventListener('keydown', heard)
    return () => removeEventListener('keydown', heard)
  }, [toggle])
  return (
    <>
      <NavLink
        component="button"
        mt="auto"
        label="Keyboard"
        leftSection={<IconKeyboard size={17} stroke={1.7} aria-hidden />}
        rightSection={<Kbd size="xs">?</Kbd>}
        onClick={open}
        className={styles.link}
      />
      <Modal opened={opened} onClose={close} title="Keyboard" closeButtonProps={{ 'aria-label': 'Close' }}>
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
    </>
  )
}
