// The way to what the keyboard does, behind `?`.

import { Kbd, NavLink } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconKeyboard } from '@tabler/icons-react'
import { lazy, type ReactElement, Suspense, useEffect } from 'react'
import styles from './frame.module.css'
import { isForPage, isTyping } from './page-key.ts'

const ShortcutList = lazy(async () => ({ default: (await import('./shortcut-list.tsx')).ShortcutList }))

export function ShortcutSheet(): ReactElement {
  const [opened, { open, close, toggle }] = useDisclosure()
  useEffect(() => {
    const heard = (event: KeyboardEvent): void => {
      if (event.key !== '?') return
      // Above the page the sheet is a dialog like others, and the same key puts it away.
      if (opened ? !event.repeat && !isTyping(event) : isForPage(event)) toggle()
    }
    addEventListener('keydown', heard)
    return () => removeEventListener('keydown', heard)
  }, [opened, toggle])
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
      <Suspense fallback={null}>{opened && <ShortcutList onClose={close} />}</Suspense>
    </>
  )
}
