// One worker: what it is, what it runs, how it is doing, and what can be done about it.

import { Badge, Group, Text } from '@mantine/core'
import type { WorkerView } from '@millrace/protocol'
import type { ReactElement } from 'react'
import { Ago } from '../primitives/ago.tsx'
import { Go } from '../shell/go.tsx'
import { placeOfJob } from '../shell/places.ts'
import { Heard } from './heard.tsx'
import { Machine } from './machine.tsx'
import { SlotBar } from './slot-bar.tsx'
import { WorkerActions } from './worker-actions.tsx'
import { WorkerMark } from './worker-mark.tsx'
import styles from './worker-row.module.css'
import { wordOf } from './worker-state.ts'

export function WorkerRow({ worker }: { readonly worker: WorkerView }): ReactElement {
  const { id, kind, user, total, free, vitals, reason, registeredAt, labels } = worker
  const word = wordOf(worker)
  const gone = word === 'lost'
  return (
    <li className={styles.row} data-gone={gone || undefined} data-testid={`worker-${id}`}>
      <div className={styles.who}>
        <Group gap={8} wrap="nowrap">
          <strong className={styles.id}>{id}</strong>
          <Badge variant="default" size="sm">
            {kind}
          </Badge>
        </Group>
        <Text size="xs" c="dimmed">
          of {user}, here since <Ago at={registeredAt} />
          {labels.length > 0 && `; ${labels.join(', ')}`}
        </Text>
      </div>
      <div className={styles.state}>
        <WorkerMark word={word} />
        {reason !== null && !gone && (
          <Text size="xs" c="dimmed">
            {reason}
          </Text>
        )}
      </div>
      <div className={styles.slots}>
        <SlotBar total={total.slots} free={gone ? total.slots : free.slots} />
        <Extra worker={worker} />
      </div>
      <div className={styles.machine}>{!gone && <Machine vitals={vitals} />}</div>
      <div className={styles.heard}>
        <span className={styles.small}>heard</span> <Heard worker={worker} />
      </div>
      <div className={styles.actions}>{!gone && <WorkerActions worker={worker} />}</div>
      <div className={styles.more}>
        <Running worker={worker} />
        <Serves worker={worker} />
      </div>
    </li>
  )
}

/** Only of a worker that has more to give than slots. */
function Extra({ worker: { total, free } }: { readonly worker: WorkerView }): ReactElement | null {
  const parts = [
    total.gpu > 0 && `${total.gpu - free.gpu} / ${total.gpu} GPU`,
    total.cpu > 0 && `${total.cpu - free.cpu} / ${total.cpu} CPU`,
    total.memoryMb > 0 && `${gigabytes(total.memoryMb - free.memoryMb)} / ${gigabytes(total.memoryMb)} GB`,
  ].filter((part) => part !== false)
  if (parts.length === 0) return null
  return (
    <Text size="xs" c="dimmed">
      {parts.join(' · ')}
    </Text>
  )
}

function gigabytes(megabytes: number): string {
  return (megabytes / 1_024).toLocaleString('en', { maximumFractionDigits: 1 })
}

const jobsShown = 6

function Running({ worker: { jobs, running } }: { readonly worker: WorkerView }): ReactElement | null {
  if (running === 0) return null
  const shown = jobs.slice(0, jobsShown)
  const others = running - shown.length
  return (
    <span>
      <span className={styles.small}>runs</span>{' '}
      {shown.map(({ room, id }, at) => (
        <span key={id}>
          {at > 0 && ', '}
          <Go to={placeOfJob(room, id)}>
            {room} …{id.slice(-6)}
          </Go>
        </span>
      ))}
      {others > 0 && (shown.length > 0 ? ` and ${others} more` : `${others} that you may not see`)}
    </span>
  )
}

const servesShown = 8

function Serves({ worker: { extensions } }: { readonly worker: WorkerView }): ReactElement {
  const names = extensions.map(({ category, name, room, scope }) =>
    scope === 'room' ? `${category}/${name} in ${room}` : `${category}/${name}`,
  )
  const others = names.length - servesShown
  return (
    <span title={names.join('\n')}>
      <span className={styles.small}>serves</span>{' '}
      {names.length === 0 ? 'nothing' : names.slice(0, servesShown).join(', ')}
      {others > 0 && ` and ${others} more`}
    </span>
  )
}
