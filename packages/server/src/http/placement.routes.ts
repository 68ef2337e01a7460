// Placement for the screen: its last passes, and what one more worker would change.

import { routes } from '@millrace/protocol'
import { askWhatIf } from '../placement/ask-what-if.ts'
import { lookAtPass, lookAtPasses } from '../placement/look-at-passes.ts'
import type { ServerParts } from '../server-parts.ts'
import type { AddRoute } from './add-routes.ts'
import { answer } from './route-handler.ts'

export function placementRoutes(parts: ServerParts, add: AddRoute): void {
  add(routes.getPlacement, async ({ query, who }) => answer(200, await lookAtPass(parts, who, query.pass)))
  add(routes.placementHistory, async ({ who }) => answer(200, { passes: await lookAtPasses(parts, who) }))
  add(routes.whatIfPlacement, async ({ body, who }) => {
    const told = await askWhatIf({ ...parts.why, known: parts.known }, who, body)
    return 'refused' in told ? told : answer(200, told)
  })
}
