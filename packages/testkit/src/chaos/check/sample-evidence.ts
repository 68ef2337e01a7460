// The evidence of a small run in which nothing went wrong: one job whose first worker was killed, one that completed at
// once and one that was cancelled; the first two held the same lock. Tests spoil it in one place each.

import type { Incident } from '../fault/inflict.ts'
import type { ReaderSession } from '../load/room-reader.ts'
import type { Evidence, JobStory } from './evidence.ts'

const room = 'lab'
const target = 'shared'
const lock = { room, target } as const

export const moved: JobStory = {
  id: 'moved',
  room,
  status: 'completed',
  createdAt: 1_000,
  endedAt: 22_000,
  result: { run: 'run-2' },
  attempts: [
    { worker: 'worker-1', assignedAt: 1_010, startedAt: 1_020, endedAt: 18_000, outcome: 'worker_lost' },
    { worker: 'worker-2', assignedAt: 18_010, startedAt: 18_020, endedAt: 22_000, outcome: 'completed' },
  ],
  history: [
    { at: 1_000, status: 'pending', reason: 'submitted' },
    { at: 18_000, status: 'pending', reason: 'worker lost' },
    { at: 22_000, status: 'completed', reason: 'completed' },
  ],
  log: ['line 1 of run-1', 'line 1 of run-2', 'line 2 of run-2'],
}

export const quick: JobStory = {
  id: 'quick',
  room,
  status: 'completed',
  createdAt: 2_000,
  endedAt: 3_000,
  result: { run: 'run-3' },
  attempts: [{ worker: 'rest', assignedAt: 2_010, startedAt: 2_020, endedAt: 3_000, outcome: 'completed' }],
  history: [
    { at: 2_000, status: 'pending', reason: 'submitted' },
    { at: 3_000, status: 'completed', reason: 'completed' },
  ],
  log: ['line 1 of run-3'],
}

export const stopped: JobStory = {
  id: 'stopped',
  room,
  status: 'cancelled',
  createdAt: 4_000,
  endedAt: 4_500,
  attempts: [],
  history: [
    { at: 4_000, status: 'pending', reason: 'submitted' },
    { at: 4_500, status: 'cancelled', reason: 'cancelled' },
  ],
  log: [],
}

export const heard: ReaderSession = {
  reader: 'reader-1',
  room,
  epoch: 'first',
  after: 4,
  batches: [
    {
      from: 5,
      to: 7,
      events: [
        { sequence: 5, job: 'moved', status: 'pending' },
        { sequence: 7, job: 'quick', status: 'completed' },
      ],
    },
    { from: 8, to: 8, events: [{ sequence: 8, job: 'stopped', status: 'cancelled' }] },
    { from: 9, to: 9, events: [{ sequence: 9, job: 'moved', status: 'completed' }] },
  ],
  locks: [
    { sequence: 6, target, fence: 7, holder: { acquiredAt: 1_020, expiresAt: 2_700 } },
    { sequence: 10, target, fence: 8, holder: { acquiredAt: 2_718, expiresAt: 5_718 } },
    { sequence: 11, target, fence: 8, holder: { acquiredAt: 2_718, expiresAt: 5_800 } },
    { sequence: 12, target, fence: 8, holder: null },
    { sequence: 13, target, fence: 9, holder: { acquiredAt: 18_020, expiresAt: 21_020 } },
  ],
}

export const workerKilled: Incident = {
  kind: 'kill-worker',
  target: 'worker-1',
  from: 3_000,
  until: 30_000,
  backAt: 31_000,
}

function jobsOf(stories: readonly JobStory[]): ReadonlyMap<string, JobStory> {
  return new Map(stories.map((story) => [story.id, story]))
}

export function sampleEvidence(
  spoilt: Partial<Omit<Evidence, 'jobs'>> & { readonly stories?: readonly JobStory[] } = {},
): Evidence {
  const { stories = [moved, quick, stopped], ...rest } = spoilt
  const names = ['moved', 'quick', 'stopped']
  const statuses = new Map(stories.map(({ id, status }) => [id, status]))
  return {
    clients: [
      ...names.map((job) => ({ step: 'submit' as const, at: 900, key: `key-${job}`, room })),
      ...names.map((job) => ({
        step: 'acknowledged' as const,
        at: 1_000,
        key: `key-${job}`,
        room,
        job,
        created: true,
      })),
      { step: 'cancel', at: 4_400, room, job: 'stopped' },
    ],
    executions: [
      { step: 'begin', at: 1_015, job: 'moved', run: 'run-1', worker: 'worker-1', pid: 1 },
      { step: 'ask', at: 1_016, run: 'run-1', ...lock },
      { step: 'held', at: 1_025, run: 'run-1', ...lock, fence: 7 },
      { step: 'begin', at: 2_015, job: 'quick', run: 'run-3', worker: 'rest', pid: 3, token: 'three' },
      { step: 'ask', at: 2_016, run: 'run-3', ...lock },
      // It waited for a worker that had been killed.
      { step: 'ask', at: 2_716, run: 'run-3', ...lock },
      { step: 'held', at: 2_720, run: 'run-3', ...lock, fence: 8 },
      { step: 'write', at: 2_800, run: 'run-3', ...lock, fence: 8 },
      { step: 'written', at: 2_810, run: 'run-3', ...lock, fence: 8 },
      { step: 'end', at: 2_900, job: 'quick', run: 'run-3' },
      { step: 'answer', at: 3_001, run: 'run-3', answer: 'completed' },
      { step: 'begin', at: 18_015, job: 'moved', run: 'run-2', worker: 'worker-2', pid: 2 },
      { step: 'ask', at: 18_016, run: 'run-2', ...lock },
      { step: 'held', at: 18_025, run: 'run-2', ...lock, fence: 9 },
      // Too late: nobody said yes to it.
      { step: 'write', at: 21_800, run: 'run-2', ...lock, fence: 9 },
      { step: 'end', at: 21_900, job: 'moved', run: 'run-2' },
    ],
    jobs: jobsOf(stories),
    sessions: [heard],
    views: [{ reader: 'reader-1', room, statuses }],
    incidents: [workerKilled],
    servers: ['server-1', 'server-2'],
    crashes: [],
    stallBoundMs: 30_000,
    ...rest,
  }
}
