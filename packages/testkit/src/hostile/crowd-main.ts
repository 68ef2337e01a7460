// Many connections from one process: opens them, lets some go and opens others for a while, and closes them all.

import { RawSocket } from './raw-socket.ts'

export interface CrowdTask {
  readonly url: string
  readonly token: string
  readonly room: string
  readonly count: number
  /** At the same time under way. */
  readonly atOnce: number
  /** Connections that are replaced once all are open. */
  readonly churn: number
}

async function enter({ url, token, room }: CrowdTask): Promise<RawSocket> {
  const socket = await RawSocket.signIn(url, token)
  socket.say(`421${JSON.stringify(['room:join', { room }])}`)
  await socket.until(() => socket.heard.some((one) => one.startsWith('431')))
  return socket
}

async function main(task: CrowdTask): Promise<void> {
  const open: RawSocket[] = []
  let wanted = task.count
  const one = async (): Promise<void> => {
    while (wanted > 0) {
      wanted -= 1
      open.push(await enter(task))
    }
  }
  await Promise.all(Array.from({ length: task.atOnce }, one))
  console.log(`open ${open.filter(({ isClosed }) => !isClosed).length}`)
  for (let left = task.churn; left > 0; left -= task.atOnce) {
    for (const socket of open.splice(0, task.atOnce)) socket.close()
    open.push(...(await Promise.all(Array.from({ length: task.atOnce }, () => enter(task)))))
  }
  console.log(`still ${open.filter(({ isClosed }) => !isClosed).length}`)
  for (const socket of open) socket.close()
  await Promise.all(open.map(({ closed }) => closed))
}

const [given] = process.argv.slice(2)
if (given !== undefined) await main(JSON.parse(given) as CrowdTask)
