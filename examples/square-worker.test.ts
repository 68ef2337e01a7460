import { fileURLToPath } from 'node:url'
import { makeTempDir, startChild, startServerProcess } from '@millrace/testkit'
import { expect, it } from 'vitest'

it('[H19] the example of a worker serves a room until it is told to stop', async () => {
  const server = await startServerProcess(['--data-dir', await makeTempDir('square-worker')])
  const { admin } = server
  await admin.expect(201, 'POST', '/api/rooms', { name: 'lab' })
  const file = fileURLToPath(new URL('./square-worker.ts', import.meta.url))
  const worker = startChild(process.execPath, [file], {
    MILLRACE_URL: server.url,
    MILLRACE_TOKEN: admin.token ?? '',
  })
  await worker.line((line) => line.includes('serves modifiers/Square'))

  const socket = await admin.socket()
  await socket.emitWithAck('room:join', { room: 'lab' })
  const completed = new Promise<void>((resolve) => {
    socket.on('job:state_changed', ({ events }: { events: { status: string }[] }) => {
      if (events.some(({ status }) => status === 'completed')) resolve()
    })
  })
  const submitted = await admin.expect<{ id: string }>(
    201,
    'POST',
    '/api/rooms/lab/extensions/room/modifiers/Square/submit',
    { data: { x: 12 } },
  )
  await completed
  const job = await admin.expect(200, 'GET', `/api/rooms/lab/jobs/${submitted.id}`)
  expect(job).toMatchObject({ status: 'completed', result: { square: 144 } })

  process.kill(worker.pid, 'SIGTERM')
  await worker.ended
  expect(worker.lines).toHaveLength(1)
  admin.close()
  await server.child.kill()
})
