// What a job logged, as it logs it: followed to the end, filtered, wrapped, and taken home.

import { ActionIcon, Group, Paper, Text, TextInput, Title, Tooltip } from '@mantine/core'
import type { LogLine } from '@millrace/protocol'
import { IconArrowBarToDown, IconDownload, IconFilter, IconTextWrap } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactElement, useEffect, useMemo, useRef, useState } from 'react'
import { clockText } from '../primitives/duration.ts'
import { saveText } from '../primitives/save-text.ts'
import styles from './job-logs.module.css'
import { followsAfter } from './log-follow.ts'
import { useJobLogs } from './log-lines.ts'

interface LogsProps {
  readonly room: string
  readonly id: string
  readonly ended: boolean
}

export function JobLogs({ room, id, ended }: LogsProps): ReactElement {
  const { data } = useJobLogs(room, id)
  const [filter, setFilter] = useState('')
  const [wraps, setWraps] = useState(true)
  const [follows, setFollows] = useState(true)
  const lines = data?.lines ?? none
  const shown = useMemo(() => filtered(lines, filter), [lines, filter])
  return (
    <Paper bg="var(--raised)" component="section" aria-label="Log" style={{ overflow: 'hidden' }}>
      <Group px="md" py="xs" justify="space-between" gap="xs">
        <Group gap="xs">
          <Title order={2}>Log</Title>
          <Text size="xs" c="dimmed" className="numbers">
            {countText(shown.length, lines.length)}
            {data && data.dropped > 0 && `, ${data.dropped} older ones are gone`}
          </Text>
        </Group>
        <Group gap={4}>
          <TextInput
            size="xs"
            aria-label="Filter the log"
            placeholder="Filter"
            leftSection={<IconFilter size={14} />}
            value={filter}
            onChange={(event) => setFilter(event.currentTarget.value)}
            w={{ base: 120, sm: 170 }}
          />
          <Toggle
            label="Follow the end"
            on={follows}
            onToggle={setFollows}
            icon={<IconArrowBarToDown size={16} />}
          />
          <Toggle label="Wrap long lines" on={wraps} onToggle={setWraps} icon={<IconTextWrap size={16} />} />
          <Tooltip label="Download">
            <ActionIcon aria-label="Download the log" onClick={() => saveText(`${id}.log`, textOf(lines))}>
              <IconDownload size={16} />
            </ActionIcon>
          </Tooltip>
        </Group>
      </Group>
      {shown.length === 0 ? (
        <Text size="sm" c="dimmed" px="md" pb="md">
          {lines.length > 0 ? 'No line has this text.' : ended ? 'It logged nothing.' : 'Nothing logged yet.'}
        </Text>
      ) : (
        <Lines lines={shown} wraps={wraps} follows={follows} onFollow={setFollows} />
      )}
    </Paper>
  )
}

function countText(shown: number, all: number): string {
  const lines = all === 1 ? '1 line' : `${all} lines`
  return shown === all ? lines : `${shown} of ${lines}`
}

const none: readonly LogLine[] = []

function filtered(lines: readonly LogLine[], filter: string): readonly LogLine[] {
  const wanted = filter.trim().toLowerCase()
  return wanted === '' ? lines : lines.filter(({ text }) => text.toLowerCase().includes(wanted))
}

function textOf(lines: readonly LogLine[]): string {
  return lines.map(({ at, text }) => `${new Date(at).toISOString()} ${text}\n`).join('')
}

interface ToggleProps {
  readonly label: string
  readonly on: boolean
  readonly onToggle: (on: boolean) => void
  readonly icon: ReactElement
}

function Toggle({ label, on, onToggle, icon }: ToggleProps): ReactElement {
  return (
    <Tooltip label={label}>
      <ActionIcon
        aria-label={label}
        aria-pressed={on}
        variant={on ? 'light' : 'subtle'}
        color={on ? 'race' : 'gray'}
        onClick={() => onToggle(!on)}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  )
}

interface LinesProps {
  readonly lines: readonly LogLine[]
  readonly wraps: boolean
  readonly follows: boolean
  readonly onFollow: (follows: boolean) => void
}

function Lines({ lines, wraps, follows, onFollow }: LinesProps): ReactElement {
  const box = useRef<HTMLDivElement>(null)
  const topPx = useRef(0)
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => 20,
    overscan: 30,
    getItemKey: (index) => lines[index]?.number ?? index,
  })
  useEffect(() => {
    if (follows) virtual.scrollToIndex(lines.length - 1, { align: 'end' })
  }, [follows, lines.length, virtual])
  const look = (): void => {
    const { scrollTop = 0, clientHeight = 0, scrollHeight = 0 } = box.current ?? {}
    const belowPx = scrollHeight - scrollTop - clientHeight
    onFollow(followsAfter(follows, { fromPx: topPx.current, toPx: scrollTop, belowPx }))
    topPx.current = scrollTop
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by the keyboard
    <div ref={box} className={styles.box} onScroll={look} tabIndex={0} role="log" aria-label="Log lines">
      <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => (
          <div
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            className={styles.line}
            data-wraps={wraps || undefined}
            style={{ transform: `translateY(${start}px)` }}
          >
            <span className={styles.at}>{clockText(lines[index]?.at ?? 0)}</span>
            <span>{lines[index]?.text}</span>
          </div>
        ))}
      </div>
    </div>
  )
}
