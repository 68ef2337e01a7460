// Too many connections, and connections that listen to a busy room and never read.

import { fileURLToPath } from 'node:url'
import type { AssignedJob, AttemptRef } from '@millrace/protocol'
import { type ChildLines, startChild } from '../process/child-process.ts'
import { maxOpenFiles } from '../process/process-figures.ts'
import type { CrowdTask } from './crowd-main.ts'
import { type HostileCase, type HostileScene, patience } from './hostile-scene.ts'

const main = fileURLToPath(new URL('./crowd-main.ts', import.meta.url))
const wanted = 5_000
/** Files a process needs beside its connections. */
const otherFiles = 500
const processes = 2

function crowdSize(): number {
  const possible = maxOpenFiles() - otherFiles
  if (possible >= wanted) return wanted
  console.warn(
    `ONLY ${possible} CONNECTIONS INSTEAD OF ${wanted}: this system lets a process open no more files`,
  )
  return possible
}

function crowd(scene: HostileScene, count: number): ChildLines {
  const churn = 300 * patience
  const task: CrowdTask = { url: scene.url, token: scene.token, room: scene.room, count, atOnce: 25, churn }
  return startChild(process.execPath, ['--no-warnings', main, JSON.stringify(task)])
}

async function comeInCrowds(scene: HostileScene): Promise<void> {
  const share = Math.floor(crowdSize() / processes)
  const crowds = Array.from({ length: processes }, () => crowd(scene, share))
  try {
    for (const each of crowds) await each.line((line) => line.startsWith('still '))
    for (const { lines } of crowds) {
      const told = lines.join(', ')
      if (told !== `open ${share}, still ${share}`) scene.outrages.push(`of ${share} connections: ${told}`)
    }
  } finally {
    await Promise.all(crowds.map((each) => each.ended))
  }
}

const readers = 20
const line = 'x'.repeat(10_000)
const linesAtOnce = 20
const cutLine = 'a connection was cut that did not read'

/** Every one of them is told of all that a job logs and takes nothing from its connection, until the server cuts it. */
async function neverRead(scene: HostileScene): Promise<void> {
  const { room, server } = scene
  const attempt = await ownAttempt(scene)
  const sockets = await Promise.all(Array.from({ length: readers }, () => scene.socket()))
  for (const socket of sockets) {
    socket.say(`421${JSON.stringify(['room:join', { room, job: attempt.job }])}`)
    await socket.until(() => socket.heard.some((one) => one.startsWith('431')))
    socket.stopReading()
  }
  const cuts = (): number => server.child.lines.filter((each) => each.includes(cutLine)).length
  const before = cuts()
  const talker = await scene.mallory.socket()
  const report = [{ ...attempt, lines: Array<string>(linesAtOnce).fill(line) }]
  while (cuts() < before + readers)
    scene.note('job:log', 0, JSON.stringify(await talker.emitWithAck('job:log', report)))
  talker.close()
  for (const socket of sockets) socket.close()
}

/** A job of her own that mallory runs herself. */
async function ownAttempt({ mallory, room }: HostileScene): Promise<AttemptRef> {
  const worker = { id: 'mallory-talker', offers: { slots: 1_000 } }
  const talk = { room, category: 'analysis', name: 'Talk', schema: {} }
  await mallory.expect(200, 'POST', '/api/workers/register', { worker, extensions: [talk] })
  await mallory.expect(201, 'POST', `/api/rooms/${room}/extensions/room/analysis/Talk/submit`, { data: {} })
  const asked = { worker: worker.id, waitMs: 10_000 }
  const { id, token } = await mallory.expect<AssignedJob>(200, 'POST', '/api/jobs/next', asked)
  const started = { token, status: 'running' }
  await mallory.expect(200, 'PUT', `/api/rooms/${room}/jobs/${id}/status`, started)
  return { room, job: id, token }
}

export const crowdAttacks: readonly HostileCase[] = [
  {
    name: 'deaf_listeners',
    title: '[X35] listeners of a busy room that never read are cut and hold nobody else up',
    attack: neverRead,
  },
  {
    name: 'crowds',
    title: '[X35] five thousand connections that come and go hold nobody else up',
    attack: comeInCrowds,
  },
]
