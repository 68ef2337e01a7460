// Everything that means no good, in the order in which it is done. Packets come first: connections that poll and are left
// alone are gone after three quarters of a minute, which the others need anyway.

import { crowdAttacks } from './crowd-attacks.ts'
import { dataAttacks } from './data-attacks.ts'
import { foreignAttacks } from './foreign-attacks.ts'
import type { HostileCase } from './hostile-scene.ts'
import { httpAttacks } from './http-attacks.ts'
import { packetAttacks } from './packet-attacks.ts'
import { schemaAttacks } from './schema-attacks.ts'

export const hostileCases: readonly HostileCase[] = [
  ...packetAttacks,
  ...dataAttacks,
  ...schemaAttacks,
  ...foreignAttacks,
  ...httpAttacks,
  ...crowdAttacks,
]
