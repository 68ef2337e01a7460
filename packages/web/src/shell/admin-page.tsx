// What an admin looks after: accounts, tokens, the limits of rooms, the configuration, and who did what.

import { Paper, Skeleton, Tabs } from '@mantine/core'
import { IconShieldLock } from '@tabler/icons-react'
import { lazy, type ReactElement, Suspense } from 'react'
import { session } from '../connection/session.ts'
import { useSignal } from '../connection/signal.ts'
import { EmptyState } from '../primitives/empty-state.tsx'
import { setSearch, useSearch } from './address.ts'
import { Page } from './page.tsx'

const panels = [
  {
    tab: 'users',
    name: 'Users',
    Panel: lazy(async () => ({ default: (await import('../user/users-panel.tsx')).UsersPanel })),
  },
  {
    tab: 'tokens',
    name: 'Tokens',
    Panel: lazy(async () => ({ default: (await import('../user/tokens-panel.tsx')).TokensPanel })),
  },
  {
    tab: 'limits',
    name: 'Limits',
    Panel: lazy(async () => ({ default: (await import('../room/limits-panel.tsx')).LimitsPanel })),
  },
  {
    tab: 'configuration',
    name: 'Configuration',
    Panel: lazy(async () => ({
      default: (await import('../configuration/configuration-panel.tsx')).ConfigurationPanel,
    })),
  },
  {
    tab: 'audit',
    name: 'Audit',
    Panel: lazy(async () => ({ default: (await import('../audit/audit-panel.tsx')).AuditPanel })),
  },
] as const

export function AdminPage(): ReactElement {
  const who = useSignal(session)
  const { tab } = useSearch()
  const shown = panels.find((one) => one.tab === tab)?.tab ?? 'users'
  return (
    <Page title="Admin" lead="Accounts, tokens, limits, configuration, and who did what.">
      {who?.role === 'admin' ? (
        <Tabs value={shown} onChange={(next) => setSearch({ tab: next ?? 'users' })} keepMounted={false}>
          <Tabs.List mb="md">
            {panels.map((one) => (
              <Tabs.Tab key={one.tab} value={one.tab}>
                {one.name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {panels.map((one) => (
            <Tabs.Panel key={one.tab} value={one.tab}>
              <Suspense fallback={<Skeleton height={240} />}>
                <one.Panel />
              </Suspense>
            </Tabs.Panel>
          ))}
        </Tabs>
      ) : (
        <Paper bg="var(--raised)">
          <EmptyState icon={IconShieldLock} title="This is for admins">
            Ask one of them for an account, a limit or a token that holds longer.
          </EmptyState>
        </Paper>
      )}
    </Page>
  )
}
