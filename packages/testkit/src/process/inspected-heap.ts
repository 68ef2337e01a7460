// The heap of a Node process after a full collection, asked for through its inspector: what is left is what it holds on
// to. The process is started with `inspected` in its environment and says in its first lines where it listens.

import type { ChildLines } from './child-process.ts'

export const inspected: Readonly<Record<string, string>> = { NODE_OPTIONS: '--inspect=127.0.0.1:0' }

interface Reply {
  readonly id?: number
  readonly result?: { readonly usedSize?: number }
}

const announcement = /Debugger listening on (ws:\/\/\S+)/

/** In bytes, of the main thread. */
export async function heldBytes(child: Pick<ChildLines, 'line'>): Promise<number> {
  const line = await child.line((each) => announcement.test(each))
  const socket = new WebSocket(announcement.exec(line)?.[1] ?? '')
  try {
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve)
      socket.addEventListener('error', () => reject(new Error('the inspector does not answer')))
    })
    await ask(socket, 1, 'HeapProfiler.collectGarbage')
    return (await ask(socket, 2, 'Runtime.getHeapUsage')).result?.usedSize ?? 0
  } finally {
    socket.close()
  }
}

function ask(socket: WebSocket, id: number, method: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const listen = ({ data }: MessageEvent): void => {
      const reply = JSON.parse(String(data)) as Reply
      if (reply.id !== id) return
      socket.removeEventListener('message', listen)
      resolve(reply)
    }
    socket.addEventListener('message', listen)
    socket.addEventListener('close', () => reject(new Error(`the inspector closed during ${method}`)))
    socket.send(JSON.stringify({ id, method }))
  })
}
