import { describe, expect, it } from 'vitest'
import { type JobFilter, meetsFilter } from './job-filter.ts'
import { pendingJob, sampleJobs } from './sample-job.ts'

const job = pendingJob({
  data: { steps: 100, name: 'Relax', deep: { 'a/b': [1, { x: true }] }, none: null },
})

describe('the filter of jobs', () => {
  const cases: readonly [string, JobFilter, boolean][] = [
    ['nothing asked', {}, true],
    ['its status', { statuses: ['failed', 'pending'] }, true],
    ['another status', { statuses: ['failed'] }, false],
    ['its extension', { category: job.submission.category, extension: job.submission.extension }, true],
    ['another extension', { extension: 'Other' }, false],
    ['another category', { category: 'other' }, false],
    ['its submitter', { submitter: job.submission.submitter }, true],
    ['another submitter', { submitter: 'somebody-else' }, false],
    ['dead letters only', { deadLetters: true }, false],
    ['no dead letters', { deadLetters: false }, true],
  ]
  it.each(cases)('[J51] a job meets a filter when it meets every part of it: %s', (_, filter, expected) => {
    expect(meetsFilter(job, filter)).toBe(expected)
  })

  it('[J51] a dead letter is found as one', () => {
    expect(meetsFilter(sampleJobs.failed, { deadLetters: true })).toBe(true)
  })

  it.each([
    ['relax', true],
    ['RELAX', true],
    ['steps', true],
    ['absent', false],
  ])('[J52] text is searched in the data without regard to case: %s', (text, expected) => {
    expect(meetsFilter(job, { text })).toBe(expected)
  })

  it.each([
    ['/steps', 'equal', 100, true],
    ['/steps', 'equal', '100', false],
    ['/steps', 'greater', 99, true],
    ['/steps', 'greater', 100, false],
    ['/steps', 'less', 101, true],
    ['/name', 'greater', 'A', true],
    ['/deep/a~1b/1/x', 'equal', true, true],
    ['/none', 'equal', null, true],
    ['/none', 'less', 1, false],
    ['/missing', 'equal', null, false],
    ['/constructor', 'greater', '', false],
    ['/__proto__', 'equal', null, false],
    ['steps', 'equal', 100, false],
    ['/deep', 'less', 5, false],
  ] as const)(
    '[J53] a condition holds of the value at its pointer: %s %s %s',
    (pointer, is, value, expected) => {
      expect(meetsFilter(job, { data: [{ pointer, is, value }] })).toBe(expected)
    },
  )
})
