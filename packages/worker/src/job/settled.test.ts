import { describe, expect, it } from 'vitest'
import { sampleRef } from '../report/sample-line.ts'
import { type AbortCause, JobAborted } from '../worker-error.ts'
import { failed, fatal, rejected } from './outcome.ts'
import { errorOf, reportOf, type Settled } from './settled.ts'

const ref = sampleRef('a')
const returned = (value: unknown): Settled => ({ how: 'returned', value })
const threw: Settled = { how: 'threw', error: { message: 'broken', name: 'Error' } }
const exited: Settled = { how: 'exited', message: 'The runner exited with code 1.' }
const killed: Settled = { how: 'killed' }

function inWords(settled: Settled, why: AbortCause | null, saidStarted = true): string {
  const aborted = why === null ? null : new JobAborted(why, `aborted: ${why}`)
  const report = reportOf(ref, settled, aborted, saidStarted)
  if (report === null) return 'nothing'
  switch (report.event) {
    case 'job:completed':
      return `completed ${JSON.stringify(report.entry.result)}`
    case 'job:failed':
      return `${report.entry.retryable ? 'failed' : 'fatal'} ${report.entry.error.message}`
    case 'job:stopped':
      return report.entry.stage
    default:
      return report.event
  }
}

describe('the end of a handler', () => {
  it.each<[string, Settled, string]>([
    ['a value', returned({ energy: -1 }), 'completed {"energy":-1}'],
    ['nothing', returned(undefined), 'completed undefined'],
    ['failed()', returned(failed('no convergence')), 'failed no convergence'],
    ['failed() that is not retryable', returned(failed('no', { retryable: false })), 'fatal no'],
    ['fatal()', returned(fatal('no such atom')), 'fatal no such atom'],
    ['an error', threw, 'failed broken'],
    ['the end of its runner', exited, 'failed The runner exited with code 1.'],
  ])('[K11] %s is reported as what it is', (_what, settled, words) => {
    expect(inWords(settled, null)).toBe(words)
  })

  it('[K11] rejected() hands the job back before its start was told, and fails it afterwards', () => {
    expect(inWords(returned(rejected('busy')), null, false)).toBe('job:rejected')
    expect(inWords(returned(rejected('busy')), null, true)).toBe('failed Rejected after it had started: busy')
  })

  it.each<[string, Settled, string, string, string]>(
    [
      // what, cancelled, run_limit, stopping
      ['a value', returned(1), 'completed 1', 'completed 1', 'completed 1'],
      ['failed()', returned(failed('no')), 'stopped', 'failed no', 'nothing'],
      ['an error', threw, 'stopped', 'failed aborted: run_limit', 'nothing'],
      ['an exit', exited, 'stopped', 'failed aborted: run_limit', 'nothing'],
      ['a kill', killed, 'killed', 'failed aborted: run_limit', 'nothing'],
    ].map(([what, settled, ...words]) => [what, settled, ...words] as never),
  )(
    '[K14] %s after an abort is read by why it was aborted',
    (_what, settled, cancelled, runLimit, stopping) => {
      expect(inWords(settled, 'cancelled')).toBe(cancelled)
      expect(inWords(settled, 'run_limit')).toBe(runLimit)
      expect(inWords(settled, 'stopping')).toBe(stopping)
      expect(inWords(settled, 'superseded')).toBe('nothing')
    },
  )

  it('[K12] a result that is no JSON or larger than 1 MB is a fatal failure', () => {
    expect(inWords(returned({ count: 10n }), null)).toMatch(/^fatal The result cannot be written as JSON/)
    expect(inWords(returned('x'.repeat(999_998)), null)).toMatch(/^completed/)
    expect(inWords(returned('ü'.repeat(500_000)), null)).toBe(
      'fatal The result takes 1000002 bytes as JSON; the limit is 1000000.',
    )
  })

  it('[K11] whatever is thrown has a message', () => {
    expect(errorOf(new TypeError('x'))).toMatchObject({ message: 'x', name: 'TypeError' })
    expect(errorOf('plain').message).toBe('plain')
    expect(errorOf({ code: 7 }).message).toContain('{"code":7}')
    expect(errorOf(undefined).message).toContain('undefined')
    expect(errorOf(10n).message).not.toBe('')
  })
})
