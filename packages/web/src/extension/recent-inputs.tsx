// What I ran before, to be run again or changed a little.

import { ActionIcon, Menu, ScrollArea, Text, Tooltip } from '@mantine/core'
import { IconHistory, IconRestore } from '@tabler/icons-react'
import type { ReactElement } from 'react'
import { StatusMark } from '../job/status-mark.tsx'
import { Ago } from '../primitives/ago.tsx'
import type { RecentInput } from './extension-queries.ts'
import { inputText } from './input-text.ts'

interface RecentInputsProps {
  readonly inputs: readonly RecentInput[]
  readonly onChoose: (data: unknown) => void
  readonly onReset: () => void
}

export function RecentInputs({ inputs, onChoose, onReset }: RecentInputsProps): ReactElement {
  return (
    <Menu position="top-end" width={340}>
      <Menu.Target>
        <Tooltip label="Recent inputs">
          <ActionIcon size={42} variant="default" aria-label="Recent inputs">
            <IconHistory size={18} stroke={1.7} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>What you ran lately</Menu.Label>
        <ScrollArea.Autosize mah={320}>
          {inputs.map(({ job, data, at, status }) => (
            <Menu.Item
              key={job}
              onClick={() => onChoose(data)}
              rightSection={<StatusMark status={status} word="" />}
            >
              <Text size="xs" ff="monospace" lineClamp={2}>
                {inputText(data)}
              </Text>
              <Text size="xs">
                <Ago at={at} />
              </Text>
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
        {inputs.length === 0 && (
          <Text size="sm" c="dimmed" px="sm" pb="xs">
            Nothing yet. Each of your runs is kept here to be picked up again.
          </Text>
        )}
        <Menu.Divider />
        <Menu.Item leftSection={<IconRestore size={15} />} onClick={onReset}>
          Back to the defaults
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
