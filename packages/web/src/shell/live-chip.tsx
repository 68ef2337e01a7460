// Whether what is on the screen is true at this moment.

import { Badge, Box, Tooltip } from '@mantine/core'
import { IconBolt, IconCloudOff, IconRefresh } from '@tabler/icons-react'
import type { ReactElement } from 'react'
import type { LiveState } from '../connection/live-socket.ts'
import { Ago } from '../primitives/ago.tsx'
import { useLiveState } from './live.ts'

const looks: Readonly<Record<LiveState['word'], { icon: typeof IconBolt; word: string; hint: string }>> = {
  live: {
    icon: IconBolt,
    word: 'var(--mantine-primary-color-light-color)',
    hint: 'Every change shows at once.',
  },
  'catching up': {
    icon: IconRefresh,
    word: 'var(--word-assigned)',
    hint: 'Fetching what happened meanwhile.',
  },
  offline: {
    icon: IconCloudOff,
    word: 'var(--word-failed)',
    hint: 'The server does not answer. What you see may be old; it comes back by itself.',
  },
}

export function LiveChip(): ReactElement {
  const { word, since } = useLiveState()
  const { icon: Icon, word: colour, hint } = looks[word]
  return (
    <Tooltip label={hint}>
      <Badge
        variant="light"
        c={colour}
        bg={`color-mix(in srgb, ${colour} 12%, var(--raised))`}
        size="lg"
        miw="max-content"
        flex="none"
        leftSection={<Icon size={14} aria-hidden />}
        data-testid="live-chip"
      >
        <span role="status">{word}</span>
        {word === 'offline' && (
          <Box component="span" visibleFrom="sm">
            {', lost '}
            <Ago at={since} />
          </Box>
        )}
      </Badge>
    </Tooltip>
  )
}
