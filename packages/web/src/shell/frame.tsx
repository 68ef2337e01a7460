// The frame around every page: header, navigation, and what can be reached from anywhere by the keyboard.

import { AppShell, Burger, Group, NavLink, UnstyledButton } from '@mantine/core'
import { useDisclosure, useReducedMotion } from '@mantine/hooks'
import { Outlet } from '@tanstack/react-router'
import { type ReactElement, useEffect } from 'react'
import { RoomSwitcher } from '../room/room-switcher.tsx'
import { usePath } from './address.ts'
import styles from './frame.module.css'
import { PlainLink } from './go.tsx'
import { LiveChip } from './live-chip.tsx'
import { Logo } from './logo.tsx'
import { useListedPages } from './pages.ts'
import { PaletteDoor } from './palette-door.tsx'
import { ShortcutSheet } from './shortcut-sheet.tsx'
import { useGoKeys } from './use-go-keys.ts'
import { UserMenu } from './user-menu.tsx'

const slideMs = 200

export function Frame(): ReactElement {
  const [opened, { toggle, close }] = useDisclosure()
  const path = usePath()
  const pages = useListedPages()
  const still = useReducedMotion(undefined, { getInitialValueInEffect: false })
  useGoKeys()
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever went somewhere wants to see it
  useEffect(close, [path])
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 196, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={0}
      // The shell slides whatever the theme says of motion.
      transitionDuration={still ? 0 : slideMs}
    >
      <a className={styles.skip} href="#page">
        To the page
      </a>
      <AppShell.Header className={styles.header}>
        <Group gap="sm" wrap="nowrap" className={styles.start}>
          <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
          <UnstyledButton
            component={PlainLink}
            to="/rooms"
            aria-label="Millrace, to the rooms"
            visibleFrom="sm"
            className={styles.home}
          >
            <Logo size={22} />
          </UnstyledButton>
          <RoomSwitcher />
        </Group>
        <Group gap="xs" wrap="nowrap">
          <PaletteDoor />
          <LiveChip />
          <UserMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={styles.navbar} aria-label="Pages">
        {pages.map(({ name, to, icon: Icon }) => (
          <NavLink
            key={to}
            component={PlainLink}
            to={to}
            label={name}
            active={isAt(path, to)}
            aria-current={isAt(path, to) ? 'page' : undefined}
            leftSection={<Icon size={17} stroke={1.7} aria-hidden />}
            className={styles.link}
          />
        ))}
        <ShortcutSheet />
      </AppShell.Navbar>
      <AppShell.Main id="page" className={styles.main}>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  )
}

/** A job's page belongs to its room, which belongs to the rooms. */
function isAt(path: string, to: string): boolean {
  return path === to || path.startsWith(`${to}/`)
}
