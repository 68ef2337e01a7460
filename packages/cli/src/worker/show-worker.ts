// Workers, for the eye.

import type { WorkerView } from '@millrace/protocol'
import { self } from '../output/own-name.ts'
import { facts, table } from '../output/table.ts'
import type { Paint } from '../output/terminal.ts'
import { showAgo, showUntil } from '../output/time.ts'

export function showWorkers(workers: readonly WorkerView[], style: Paint, width: number): string {
  if (workers.length === 0) return `No workers. Start one: ${self} worker <file>`
  const rows = workers.map((worker) => [
    worker.id,
    worker.kind,
    conditionOf(worker, style),
    `${worker.total.slots - worker.free.slots}/${worker.total.slots}`,
    servesOf(worker).join(', '),
    worker.user,
    showAgo(worker.heardAt, Date.now()),
  ])
  return table(['worker', 'kind', 'state', 'busy', 'serves', 'user', 'heard'], rows, width)
}

export function showWorker(worker: WorkerView, style: Paint): string {
  const now = Date.now()
  const { id, kind, user, channel, total, free, labels, running, heardAt, leaseUntil, registeredAt } = worker
  return facts([
    ['worker', `${id} (${kind}, of ${user})`],
    ['state', conditionOf(worker, style)],
    ['channel', channel ?? 'none'],
    ['slots', `${total.slots - free.slots} of ${total.slots} busy, ${running} running`],
    ['memory', total.memoryMb > 0 ? `${free.memoryMb} of ${total.memoryMb} MB free` : 'not said'],
    ['labels', labels.join(', ') || 'none'],
    ['serves', servesOf(worker).join('\n') || 'nothing'],
    ['heard', showAgo(heardAt, now)],
    ['lease', showUntil(leaseUntil, now)],
    ['here since', showAgo(registeredAt, now)],
  ])
}

function conditionOf({ presence, healthy, reason, draining }: WorkerView, style: Paint): string {
  if (draining) return style('yellow', 'draining')
  if (healthy) return style('green', presence)
  return presence === 'lost' ? style('red', 'lost') : style('yellow', reason ?? presence)
}

function servesOf({ extensions }: WorkerView): readonly string[] {
  return extensions.map(
    ({ room, category, name }) => `${category}/${name}${room === null ? '' : ` in ${room}`}`,
  )
}
