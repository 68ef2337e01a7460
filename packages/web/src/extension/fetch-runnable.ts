// What can be run from anywhere: all that one room offers, and what other rooms have of their own.

import { routes } from '@millrace/protocol'
import { call } from '../connection/api.ts'
import type { ExtensionRef } from './extension-queries.ts'

export type Runnable = ExtensionRef & { readonly room: string }

/** What serves every room is offered by any of them: only what is a room's own has to be asked for elsewhere. */
export async function fetchRunnable(room: string, signal: AbortSignal): Promise<readonly Runnable[]> {
  const [here, everywhere] = await Promise.all([
    call(routes.listExtensions, { params: { room }, signal }),
    call(routes.extensionsOverview, { signal }),
  ])
  const elsewhere = everywhere.extensions.flatMap((one) =>
    one.scope === 'room' && one.room !== null && one.room !== room ? [{ ...one, room: one.room }] : [],
  )
  return [...here.extensions.map((one) => ({ ...one, room })), ...elsewhere]
}
