// Whether what is on the screen is true at this moment.

import { Badge, Tooltip } from '@mantine/core'
import { IconBolt, IconCloudOff, IconRefresh } from '@tabler/icons-react'
import type { ReactElement } from 'react'
import type { LiveState } from '../connection/live-socket.ts'
import { Ago } from '../primitives/ago.tsx'
import { useLiveState } from './live.ts'

const looks: Readonly<Record<LiveState['word'], { icon: typeof IconBolt; color: string; hint: string }>> = {
  live: { icon: IconBolt, color: 'race', hint: 'Every change shows at once.' },
  'catching up': { icon: IconRefresh, color: 'yellow', hint: 'Fetching what happened meanwhile.' },
  offline: {
    icon: IconCloudOff,
    color: 'red',
    hint: 'The server does not answer. What you see may be old; it comes back by itself.',
  },
}

export function LiveChip(): ReactElement {
  const { word, since } = useLiveState()
  const { icon: Icon, color, hint } = looks[word]
  return (
    <Tooltip label={hint}>
      <Badge
        variant="light"
        color={color}
        size="lg"
        leftSection={<Icon size={14} aria-hidden />}
        role="status"
        data-testid="live-chip"
      >
        {word}
        {word === 'offline' && (
          <>
            {', lost '}
            <Ago at={since} />
          </>
        )}
      </Badge>
    </Tooltip>
  )
}
