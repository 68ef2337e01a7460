// Too many connections, and connections that listen to a busy room and never read.

import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
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
    for (const { lines } of crowds) expect.soft(lines).toEqual([`open ${share}`, `still ${share}`])
  } finally {
    await Promise.all(crowds.map((each) => each.ended))
  }
}

const readers = 20
const bulk = 100

/** Every one of them is told of every job, and takes nothing from its connection. */
async function neverRead(scene: HostileScene): Promise<void> {
  const offer = { room: scene.room, category: 'analysis', name: 'Any', schema: {} }
  await scene.post(
    '/api/workers/register',
    JSON.stringify({ worker: { id: 'mallory-any' }, extensions: [offer] }),
  )
  const sockets = await Promise.all(Array.from({ length: readers }, () => scene.socket()))
  for (const socket of sockets) {
    socket.say(`421${JSON.stringify(['room:join', { room: scene.room }])}`)
    await socket.until(() => socket.heard.some((one) => one.startsWith('431')))
    socket.stopReading()
  }
  const body = JSON.stringify({ jobs: Array.from({ length: bulk }, () => ({ data: {} })) })
  const path = `/api/rooms/${scene.room}/extensions/room/analysis/Any/submit-many`
  for (let round = 0; round < 10; round += 1) await scene.post(path, body)
  for (const socket of sockets) socket.close()
}

export const crowdAttacks: readonly HostileCase[] = [
  { title: '[X35] listeners of a busy room that never read hold nobody else up', attack: neverRead },
  { title: '[X35] five thousand connections that come and go hold nobody else up', attack: comeInCrowds },
]
