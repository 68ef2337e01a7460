import { describe, expect, it } from 'vitest'
import { errorKind, errorSeen } from './error-fingerprint.ts'
import type { Job, JobError } from './job.ts'
import type { JobEvent } from './job-event.ts'
import { fatalFailure, granted, runningJob, sampleEvents, sampleStart } from './sample-job.ts'
import { transition } from './transition.ts'

const source = { scope: 'room', category: 'modifiers', extension: 'Relax' } as const

function print(error: JobError, from: Parameters<typeof errorKind>[0] = source): string {
  return errorKind(from, error).fingerprint
}

const stack = (file: string, line: number, called = 'relax'): string =>
  [
    'Error: no',
    `    at check (/srv/app/node_modules/ajv/lib/core.js:${line}:7)`,
    '    at node:internal/process/task_queues:95:5',
    `    at ${called} (${file}:${line}:13)`,
    '    at main (/srv/app/main.ts:1:1)',
  ].join('\n')

describe('errorKind', () => {
  const alike: readonly (readonly [string, string])[] = [
    ['frame 12 is missing', 'frame 7 is missing'],
    ['energy -3.52 diverges after 1e6 steps', 'energy -99.1 diverges after 2e6 steps'],
    ["no such species 'Xx'", "no such species 'Uuo'"],
    ['cannot open "a.xyz"', 'cannot open "another one.xyz"'],
    ['job 0190a1b2-0000-7000-8000-000000000001 gone', 'job 0190a1b2-ffff-7000-8000-00000000ffff gone'],
    ['address 0xdeadbeef', 'address 0x1'],
    ['commit 3f2a9b11c0de', 'commit aa00bb11cc22'],
    ['out  of\nmemory', 'out of memory'],
  ]
  it.each(alike)('[G5] %j and %j are one error', (one, other) => {
    expect(print({ message: one })).toBe(print({ message: other }))
  })

  it('[G5] apostrophes quote nothing', () => {
    expect(errorKind(source, { message: "it can't be that it won't end" }).pattern).toBe(
      "it can't be that it won't end",
    )
  })

  it('[G5] another extension, name, message or place is another error', () => {
    const error = { name: 'TypeError', message: 'x is not a function', stack: stack('/srv/app/a.ts', 3) }
    const prints = [
      print(error),
      print(error, { ...source, extension: 'Rotate' }),
      print(error, { ...source, category: 'analysis' }),
      print(error, { ...source, scope: 'global' }),
      print({ ...error, name: 'RangeError' }),
      print({ ...error, message: 'y is not a function' }),
      print({ ...error, stack: stack('/srv/app/b.ts', 3) }),
      print({ ...error, stack: stack('/srv/app/a.ts', 3, 'rotate') }),
    ]
    expect(new Set(prints).size).toBe(prints.length)
  })

  it('[G5] the place is the first line of one’s own code, wherever it is installed and on whatever line', () => {
    const here = errorKind(source, { message: 'no', stack: stack('/srv/app/relax.ts', 3) })
    const there = errorKind(source, { message: 'no', stack: stack('/opt/millrace/relax.ts', 40) })
    expect(here.place).toBe('relax (relax.ts)')
    expect(there).toEqual(here)
  })

  it('[G5] of a traceback in Python the innermost call of one’s own code counts', () => {
    const traceback = [
      'Traceback (most recent call last):',
      '  File "/srv/worker.py", line 9, in <module>',
      '  File "/srv/relax.py", line 4, in relax',
      '  File "/usr/lib/python3/dist-packages/numpy/core.py", line 4, in dot',
      'ValueError: shapes do not match',
    ].join('\n')
    expect(errorKind(source, { message: 'no', stack: traceback }).place).toBe('relax (relax.py)')
  })

  it('[G5] a message made to be slow is not', () => {
    const began = performance.now()
    for (const unit of ["'", '"', '`', 'a'.repeat(63), ' ', '1.', 'at (', '  File "'])
      errorKind(source, {
        message: unit.repeat(2_000 / unit.length),
        stack: unit.repeat(8_000 / unit.length),
      })
    expect(performance.now() - began).toBeLessThan(500)
  })
})

describe('errorSeen', () => {
  const running = runningJob()
  const after = (event: JobEvent, now: number = sampleStart + 9_000): Job =>
    granted(transition(running, event, now, 0)).next

  it.each([sampleEvents.fail, fatalFailure])('[G6] a failed try is seen, and once: %j', (failure) => {
    const failed = after(failure)
    expect(errorSeen(running, failed)).toMatchObject({ message: 'boom' })
    expect(errorSeen(failed, failed)).toBeNull()
  })

  it('[G6] a run that took too long is seen', () => {
    const late = running.attempt?.runUntil ?? 0
    expect(errorSeen(running, after(sampleEvents.execution_passed, late))).not.toBeNull()
  })

  it.each([sampleEvents.complete, sampleEvents.worker_lost, sampleEvents.server_stop])(
    '[G6] it is no error of the job that %j',
    (event) => {
      expect(errorSeen(running, after(event))).toBeNull()
    },
  )
})
