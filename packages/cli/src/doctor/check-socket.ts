// Does a socket get through, whatever stands between? One round trip, as workers and browsers need it.

import type { Problem } from '@millrace/protocol'
import type { Target } from '../connection/target.ts'
import { showDuration } from '../output/time.ts'
import { type Check, type Found, fail, lookAt, ok } from './check.ts'

const patienceMs = 5_000

export function checkSocket({ url, token, room }: Target): Promise<Check> {
  return lookAt('socket', async () => {
    const { io } = await import('socket.io-client')
    const { origin, pathname } = new URL(url)
    const begun = performance.now()
    const socket = io(origin, {
      path: `${pathname.replace(/\/$/, '')}/socket.io/`,
      auth: { token },
      forceNew: true,
      reconnection: false,
      transports: ['websocket'],
      timeout: patienceMs,
    })
    const [event, payload] = room === null ? ['system:join', {}] : ['room:join', { room }]
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve)
        socket.once('connect_error', reject)
      })
      await socket.timeout(patienceMs).emitWithAck(event as string, payload)
      return ok(`connected and answered in ${showDuration(performance.now() - begun)}`)
    } catch (error) {
      return notThrough(error as Error & { readonly data?: Problem })
    } finally {
      socket.disconnect()
    }
  })
}

function notThrough(error: Error & { readonly data?: Problem }): Found {
  if (error.data) return fail(error.data.detail)
  return fail(
    `no connection (${error.message})`,
    'A proxy in between has to pass on WebSocket upgrades at /socket.io/.',
  )
}
