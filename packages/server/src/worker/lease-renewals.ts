// Beats that came back, written together: with a thousand workers two hundred leases are renewed a second, and one
// commit for all of them costs little more than one for each would cost alone.

import { hearWorker, isRefusal, type Refusal, refuse, type Vitals, type WorkerId } from '@millrace/domain'
import { newId } from '../new-id.ts'
import { changeWorker, type WorkerRecords } from './change-worker.ts'
import { putWorker, type WorkerRecord, workerKey } from './worker-record.ts'

interface Heard {
  readonly vitals: Vitals | null
  readonly answer: (lease: number | Refusal) => void
  readonly fail: (fault: unknown) => void
}

const atOnce = 500

/** Beats that come back within it share a commit. */
const gatherMs = 20

export class LeaseRenewals {
  readonly #parts: WorkerRecords
  readonly #onFault: (fault: unknown) => void
  readonly #heard = new Map<WorkerId, Heard[]>()
  #flushing: Promise<void> | null = null

  constructor(parts: WorkerRecords, onFault: (fault: unknown) => void) {
    this.#parts = parts
    this.#onFault = onFault
  }

  /** Resolves when the renewal is written: with the instant the lease now ends, or why it could not be renewed. */
  heard(id: WorkerId, vitals: Vitals | null): Promise<number | Refusal> {
    return new Promise((answer, fail) => {
      const before = this.#heard.get(id) ?? []
      this.#heard.set(id, [...before, { vitals, answer, fail }])
      this.#flushing ??= this.#flush()
    })
  }

  async #flush(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, gatherMs))
    while (this.#heard.size > 0) {
      const batch = [...this.#heard].slice(0, atOnce)
      for (const [id] of batch) this.#heard.delete(id)
      try {
        await this.#renew(batch)
      } catch (fault) {
        // Not renewed is not lost: whoever answered is asked again at once, not when its next beat would be, and after an
        // outage nobody is lost before the grace is over.
        this.#onFault(fault)
        for (const [id, heard] of batch) {
          const stationed = this.#parts.roster.get(id)
          if (stationed) stationed.askedAt = 0
          for (const { fail } of heard) fail(fault)
        }
      }
    }
    this.#flushing = null
  }

  async #renew(batch: readonly (readonly [WorkerId, readonly Heard[]])[]): Promise<void> {
    const { store, roster } = this.#parts
    const renewed: WorkerRecord[] = []
    const put = batch.flatMap(([id, heard]) => {
      const stationed = roster.get(id)
      const record = stationed && renew(stationed.record, heard, store.now())
      if (!stationed || !record || isRefusal(record)) return []
      renewed.push(record)
      return [putWorker(record, stationed.version)]
    })
    const outcome =
      put.length === 0 ? null : await store.commit({ id: newId(store.now()), partition: 'system', put })
    if (outcome?.outcome === 'committed') {
      for (const record of renewed) roster.update(record.worker.id, record, outcome.revision)
    }
    const written = new Set(outcome?.outcome === 'committed' ? renewed.map(({ worker }) => worker.id) : [])
    for (const [id, heard] of batch) {
      const lease = written.has(id) ? this.#leaseOf(id) : await this.#renewAlone(id, heard)
      for (const { answer } of heard) answer(lease)
    }
  }

  #leaseOf(id: WorkerId): number | Refusal {
    return this.#parts.roster.get(id)?.record.worker.lease.leaseUntil ?? refuse('worker_lost')
  }

  /** Somebody else wrote one of the batch, or a worker is not stationed here: each is settled for itself. */
  async #renewAlone(id: WorkerId, heard: readonly Heard[]): Promise<number | Refusal> {
    const { store, workers } = this.#parts
    const changed = await changeWorker(this.#parts, id, (known) =>
      known ? renew(known, heard, store.now()) : refuse('worker_lost'),
    )
    workers.forget('system', workerKey(id))
    return isRefusal(changed) ? changed : changed.record.worker.lease.leaseUntil
  }
}

function renew(record: WorkerRecord, heard: readonly Heard[], now: number): WorkerRecord | Refusal {
  const vitals = heard.at(-1)?.vitals ?? null
  const worker = hearWorker(record.worker, vitals, now)
  return isRefusal(worker) ? worker : { ...record, worker }
}
