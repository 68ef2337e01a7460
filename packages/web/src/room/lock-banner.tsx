// Who holds a lock of the room, what for, and for how long yet.

import { Alert, Group, Text } from '@mantine/core'
import type { LockView } from '@millrace/protocol'
import { IconLock } from '@tabler/icons-react'
import type { ReactElement } from 'react'
import { durationText } from '../primitives/duration.ts'
import { useNow } from '../primitives/use-now.ts'
import { useLocks } from './room-queries.ts'

type Holder = NonNullable<LockView['holder']>

export function LockBanner({ room }: { readonly room: string }): ReactElement | null {
  const { data: locks = [] } = useLocks(room)
  const held = locks.flatMap(({ target, holder }) => (holder ? [{ target, holder }] : []))
  if (held.length === 0) return null
  return (
    <>
      {held.map(({ target, holder }) => (
        <Banner key={target} target={target} holder={holder} />
      ))}
    </>
  )
}

function Banner({
  target,
  holder,
}: {
  readonly target: string
  readonly holder: Holder
}): ReactElement | null {
  const left = holder.expiresAt - useNow()
  if (left <= 0) return null
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<IconLock size={18} />}
      role="group"
      aria-label={`Lock of ${target}`}
      py="xs"
    >
      <Group justify="space-between" gap="xs">
        {/* What ticks stands outside: a reader would say it anew every second. */}
        <Text size="sm" role="status">
          <strong>{holder.user}</strong> holds <strong>{target}</strong>
          {holder.message !== null && <>: {holder.message}</>}
        </Text>
        <Text size="sm" className="numbers">
          {durationText(Math.ceil(left / 1_000) * 1_000).replace('.0', '')} left
        </Text>
      </Group>
    </Alert>
  )
}
