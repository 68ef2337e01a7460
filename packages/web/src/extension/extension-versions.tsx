// The versions of an extension, and what each has otherwise than the current one: what somebody has to mend before two
// workers can serve the same.

import { Alert, Badge, Group, Stack, Text } from '@mantine/core'
import { IconArrowsDiff, IconMinus, IconPlus } from '@tabler/icons-react'
import type { ReactElement } from 'react'
import { Ago } from '../primitives/ago.tsx'
import type { Detail } from './extension-overview.ts'
import styles from './extension-versions.module.css'

type Version = Detail['versions'][number]
type Change = Version['changes'][number]

export function ExtensionVersions({ detail }: { readonly detail: Detail }): ReactElement {
  const others = detail.versions.filter(({ current, workers }) => !current && workers.length > 0)
  return (
    <Stack gap="sm">
      {others.length > 0 && (
        <Alert color="yellow" variant="light" icon={<IconArrowsDiff size={18} />}>
          Workers serve more than one schema. New jobs go by the current one; those that were submitted by
          another wait for a worker that serves it.
        </Alert>
      )}
      {detail.versions.map((version) => (
        <OneVersion key={version.hash} version={version} waited={detail.waitingFor.includes(version.hash)} />
      ))}
    </Stack>
  )
}

interface VersionProps {
  readonly version: Version
  readonly waited: boolean
}

function OneVersion({ version, waited }: VersionProps): ReactElement {
  const { hash, workers, current, registeredAt, changes } = version
  return (
    <section className={styles.version} aria-label={`Version ${hash.slice(0, 12)}`}>
      <Group gap="xs">
        <code title={hash}>{hash.slice(0, 12)}</code>
        {current && <Badge size="sm">current</Badge>}
        {waited && (
          <Badge size="sm" color="orange" variant="light">
            jobs wait for a worker that serves it
          </Badge>
        )}
        <Text size="xs" c="dimmed">
          since <Ago at={registeredAt} />, {workers.length === 0 ? 'no worker' : `by ${workers.join(', ')}`}
        </Text>
      </Group>
      {changes.length > 0 && (
        <ul className={styles.changes}>
          {changes.map((change) => (
            <Difference key={change.pointer} change={change} />
          ))}
        </ul>
      )}
    </section>
  )
}

const icons = { added: IconPlus, removed: IconMinus, changed: IconArrowsDiff } as const

/** Told from the current schema to this version. */
function Difference({
  change: { change, pointer, before, after },
}: {
  readonly change: Change
}): ReactElement {
  const Icon = icons[change]
  return (
    <li data-change={change}>
      <Icon size={14} aria-hidden />
      <span>
        {change} <code>{pointer || '/'}</code>
        {before !== undefined && <span className={styles.before}> {shortText(before)}</span>}
        {change === 'changed' && ' → '}
        {after !== undefined && <span> {shortText(after)}</span>}
      </span>
    </li>
  )
}

const longest = 160

function shortText(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
