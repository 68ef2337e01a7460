// Workers whose lease has run out. After a start or an outage of the store nobody is declared lost for a full grace
// period, because nobody could have renewed meanwhile.

import type { WorkerId } from '@millrace/domain'
import type { DueRecord } from '../ports/store.ts'
import { type LossParts, workerDue } from '../worker/lose-worker.ts'

export async function dueWorkers(
  parts: LossParts,
  due: readonly DueRecord[],
  steadySince: number,
): Promise<void> {
  for (const { key } of due) await workerDue(parts, key.slice('worker/'.length) as WorkerId, steadySince)
}
