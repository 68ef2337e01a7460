// A button that is an icon, with its name for whoever points at it or cannot see it.

import { ActionIcon, Tooltip } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import type { ReactElement } from 'react'

export function IconButton({
  label,
  icon: Icon,
  onClick,
}: {
  readonly label: string
  readonly icon: TablerIcon
  readonly onClick: () => void
}): ReactElement {
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} size="sm" onClick={onClick}>
        <Icon size={15} />
      </ActionIcon>
    </Tooltip>
  )
}
