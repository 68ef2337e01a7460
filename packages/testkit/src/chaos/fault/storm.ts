// Lets the faults of a plan come down on a cluster, one after the other begun and many at a time under way; never two on
// the same target, and none on a server or the store before the cluster has drawn breath since the last.

import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster } from '../cluster/cluster.ts'
import type { Fault } from './fault-plan.ts'
import { aimOf, type Incident } from './inflict.ts'

export interface StormSigns {
  /** Grows with every submit that is acknowledged: a server and its store are there. */
  readonly acknowledged: () => number
  readonly onIncident?: (incident: Incident) => void
}

/** Without it a machine that is slow to start servers would only ever see them killed again, and prove nothing. */
const breathMs = 2_000
const lookEveryMs = 50

/** A cluster that does not come back is found by its stall; the storm must not wait for it for ever. */
const breathWithinMs = 90_000

/** Resolves when the last fault is over; the incidents are in the order of their ends. */
export async function storm(
  cluster: Cluster,
  faults: Iterable<Fault>,
  { acknowledged, onIncident = () => undefined }: StormSigns,
): Promise<readonly Incident[]> {
  const lanes = new Map<string, Promise<void>>()
  const incidents: Incident[] = []
  for (const fault of faults) {
    await pause(fault.afterMs)
    const aim = aimOf(cluster, fault)
    if (aim.isVital) await breath(acknowledged)
    const over = (lanes.get(aim.name) ?? Promise.resolve()).then(async () => {
      const incident: Incident = { kind: fault.kind, target: aim.name, ...(await aim.inflict(fault)) }
      incidents.push(incident)
      onIncident(incident)
    })
    // It is awaited below; until then a fault in it must not end the process.
    over.catch(() => undefined)
    lanes.set(aim.name, over)
  }
  await Promise.all(lanes.values())
  return incidents
}

async function breath(acknowledged: () => number): Promise<void> {
  const before = acknowledged()
  const deadline = performance.now() + breathWithinMs
  while (acknowledged() === before && performance.now() < deadline) await pause(lookEveryMs)
  await pause(breathMs)
}
