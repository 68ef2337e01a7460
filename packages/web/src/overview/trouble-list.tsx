// What is not as it should be, the worst first, each with the way to it. When all is well it says so, and nothing is red.

import { Group, Paper, Text, Title } from '@mantine/core'
import type { Trouble } from '@millrace/protocol'
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconGauge,
  IconHourglassHigh,
  IconPlugConnectedX,
  IconServerOff,
  type TablerIcon,
} from '@tabler/icons-react'
import type { ReactElement } from 'react'
import { withLocalTimes } from '../primitives/duration.ts'
import { Go } from '../shell/go.tsx'
import { places } from '../shell/places.ts'
import type { Figure } from './overview-figures.ts'
import styles from './trouble-list.module.css'

interface TroublesProps {
  readonly troubles: readonly Trouble[]
  /** Figures that are not as they should be, and that no trouble explains. */
  readonly odd: readonly Figure[]
}

export function TroubleList({ troubles, odd }: TroublesProps): ReactElement {
  if (troubles.length === 0 && odd.length === 0)
    return (
      <Paper bg="var(--raised)" p="md" component="section" aria-label="Needs attention">
        <Group gap="xs">
          <IconCircleCheck size={20} stroke={1.7} color="var(--mantine-primary-color-filled)" aria-hidden />
          <Text fw={550}>Nothing needs you.</Text>
          <Text c="dimmed">
            Jobs that are stuck, failing or slow would stand here, and workers that are unwell.
          </Text>
        </Group>
      </Paper>
    )
  return (
    <Paper bg="var(--raised)" component="section" aria-label="Needs attention" className={styles.box}>
      <Title order={2} px="md" pt="sm" pb={4}>
        Needs attention
      </Title>
      <ul className={styles.list}>
        {troubles.map((trouble) => (
          <OneTrouble key={JSON.stringify(trouble)} trouble={trouble} />
        ))}
        {odd.map((figure) => (
          <OddFigure key={figure.name} figure={figure} />
        ))}
      </ul>
    </Paper>
  )
}

function OddFigure({ figure: { name, trouble, to } }: { readonly figure: Figure }): ReactElement {
  return (
    <li className={styles.trouble}>
      <span className={styles.word}>
        <IconGauge size={16} aria-hidden /> figure
      </span>
      <span className={styles.sentence}>
        <strong>{name}: </strong>
        {trouble}.
      </span>
      <Go to={to}>Look closer</Go>
    </li>
  )
}

const looks: Readonly<Record<Trouble['kind'], { readonly icon: TablerIcon; readonly word: string }>> = {
  waiting: { icon: IconServerOff, word: 'stuck' },
  failing: { icon: IconAlertTriangle, word: 'failing' },
  slow: { icon: IconHourglassHigh, word: 'slow' },
  worker: { icon: IconPlugConnectedX, word: 'unwell' },
}

function OneTrouble({ trouble }: { readonly trouble: Trouble }): ReactElement {
  const { kind, sentence, room, category, extension, worker } = trouble
  const { icon: Icon, word: plain } = looks[kind]
  const word = isGivenUp(trouble) ? 'failed' : plain
  const what = worker ?? (extension === undefined ? room : `${category}/${extension} in ${room}`)
  return (
    <li className={styles.trouble} data-kind={kind}>
      <span className={styles.word}>
        <Icon size={16} aria-hidden /> {word}
      </span>
      <span className={styles.sentence}>
        {what !== undefined && <strong>{what}: </strong>}
        {withLocalTimes(sentence)}
      </span>
      <Go to={placeOf(trouble)}>{wayOf(trouble)}</Go>
    </li>
  )
}

function wayOf(trouble: Trouble): string {
  if (trouble.kind === 'worker') return 'To the workers'
  return isGivenUp(trouble) ? 'To the dead letters' : 'Show the jobs'
}

/** What fails as a room is a share of its jobs; what names an extension are jobs that were given up. */
function isGivenUp({ kind, extension }: Trouble): boolean {
  return kind === 'failing' && extension !== undefined
}

function placeOf(trouble: Trouble): string {
  const { kind, room, category, extension } = trouble
  if (kind === 'worker') return places.workers
  if (isGivenUp(trouble)) {
    const letters = { room, category, extension }
    const asked = Object.entries(letters).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    )
    return `${places.deadLetters}?${new URLSearchParams(asked)}`
  }
  const status = kind === 'failing' ? 'failed' : 'pending'
  const asked = { ...(room !== undefined && { room }), status, ...(extension !== undefined && { extension }) }
  return `${places.jobs}?${new URLSearchParams(asked)}`
}
