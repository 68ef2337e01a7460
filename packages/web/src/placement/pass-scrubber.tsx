// The last passes: how many jobs each started and left waiting, and a handle to go back to one of them.

import { Button, Group, Slider, Text } from '@mantine/core'
import type { PassSummary } from '@millrace/protocol'
import { IconBolt } from '@tabler/icons-react'
import type { ReactElement } from 'react'
import { clockText } from '../primitives/duration.ts'
import styles from './pass-scrubber.module.css'

interface ScrubberProps {
  readonly passes: readonly PassSummary[]
  /** Null: the last one, live. */
  readonly pass: number | null
  readonly onPass: (pass: number | null) => void
}

export function PassScrubber({ passes, pass, onPass }: ScrubberProps): ReactElement | null {
  if (passes.length === 0) return null
  const last = passes.length - 1
  const found = passes.findIndex((one) => one.pass === pass)
  const at = found < 0 ? last : found
  const shown = passes[at]
  const go = (next: number): void => onPass(next >= last ? null : (passes[next]?.pass ?? null))
  return (
    <div>
      <Legend />
      <Bars passes={passes} at={at} />
      <Slider
        aria-label="Pass"
        min={0}
        max={Math.max(1, last)}
        value={at}
        onChange={go}
        disabled={last === 0}
        size="sm"
        label={(value) => clockText(passes[value]?.at ?? 0)}
        thumbLabel="Pass"
      />
      <Group justify="space-between" mt={8} gap="xs">
        <Text size="sm" className="numbers" role="status">
          {shown && passText(shown)}
        </Text>
        <Button
          size="compact-xs"
          variant={pass === null ? 'light' : 'filled'}
          leftSection={<IconBolt size={13} />}
          disabled={pass === null}
          onClick={() => onPass(null)}
        >
          {pass === null ? 'Live' : 'Back to live'}
        </Button>
      </Group>
    </div>
  )
}

function passText({ at, started, waiting, passes, planMs, drawn }: PassSummary): string {
  const many = passes !== null && passes > 1 ? `, ${passes} passes as one` : ''
  const plan = planMs === null ? '' : `, planned in ${planMs.toFixed(planMs < 10 ? 1 : 0)} ms`
  const gone = drawn ? '' : '; its picture is no longer remembered'
  return `${clockText(at)}: ${started} started, ${waiting} waited${many}${plan}${gone}`
}

function Legend(): ReactElement {
  return (
    <Group gap="md" fz="xs" c="dimmed" mb={4}>
      <span>One bar for each pass:</span>
      <span>
        <span className={styles.swatch} data-of="started" /> started, at the foot
      </span>
      <span>
        <span className={styles.swatch} data-of="waiting" /> left waiting, on top
      </span>
    </Group>
  )
}

const barHeight = 34

function Bars({
  passes,
  at,
}: {
  readonly passes: readonly PassSummary[]
  readonly at: number
}): ReactElement {
  const most = Math.max(1, ...passes.map(({ started, waiting }) => started + waiting))
  const tall = (count: number): number => (count / most) * barHeight
  return (
    <svg
      className={styles.bars}
      viewBox={`0 0 ${passes.length} ${barHeight}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {passes.map(({ pass, started, waiting }, index) => (
        <g key={pass} data-at={index === at || undefined}>
          <rect className={styles.ground} x={index} width={1} y={0} height={barHeight} />
          <rect
            className={styles.waiting}
            x={index + 0.1}
            width={0.8}
            y={barHeight - tall(started + waiting)}
            height={tall(waiting)}
          />
          <rect
            className={styles.started}
            x={index + 0.1}
            width={0.8}
            y={barHeight - tall(started)}
            height={tall(started)}
          />
        </g>
      ))}
    </svg>
  )
}
