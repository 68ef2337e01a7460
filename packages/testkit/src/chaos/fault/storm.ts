// Lets the faults of a plan come down on a cluster, one after the other begun and many at a time under way; never two on
// the same target, and never one after the other without a breath on what everything depends on.

import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster } from '../cluster/cluster.ts'
import type { Fault } from './fault-plan.ts'
import { aimOf, type Incident } from './inflict.ts'

/** Enough for everybody to come back and for jobs to end again. */
const breathMs = 6_000

/** Resolves when the last fault is over; the incidents are in the order of their ends. */
export async function storm(
  cluster: Cluster,
  faults: Iterable<Fault>,
  onIncident: (incident: Incident) => void = () => undefined,
): Promise<readonly Incident[]> {
  const lanes = new Map<string, Promise<void>>()
  const incidents: Incident[] = []
  for (const fault of faults) {
    await pause(fault.afterMs)
    const aim = aimOf(cluster, fault)
    const lane = aim.isCritical ? 'critical' : aim.name
    const before = lanes.get(lane)
    const over = (before ?? Promise.resolve()).then(async () => {
      if (before && aim.isCritical) await pause(breathMs)
      const incident: Incident = { kind: fault.kind, target: aim.name, ...(await aim.inflict(fault)) }
      incidents.push(incident)
      onIncident(incident)
    })
    // It is awaited below; until then a fault in it must not end the process.
    over.catch(() => undefined)
    lanes.set(lane, over)
  }
  await Promise.all(lanes.values())
  return incidents
}
