import { describe, expect, it } from 'vitest'
import { errorInWords, outcomeInWords, stageInWords } from './job-words.ts'

describe('what a job is told with', () => {
  it.each([
    ['failed_fatal', 'failed for good (failed_fatal)'],
    ['worker_lost', 'its worker was lost (worker_lost)'],
    ['completed', 'completed'],
    ['of_a_newer_server', 'of_a_newer_server'],
  ])('[N93] the outcome %s is %j', (code, words) => {
    expect(outcomeInWords(code)).toBe(words)
  })

  it.each([
    [{ message: 'Worker disconnected', name: 'worker_lost' }, 'Worker disconnected (worker_lost)'],
    [{ message: 'no mass', name: 'Error' }, 'no mass'],
    [{ message: 'no mass', name: 'TypeError' }, 'TypeError: no mass'],
    [{ message: 'TypeError: no mass', name: 'TypeError' }, 'TypeError: no mass'],
    [{ message: 'no mass' }, 'no mass'],
  ])('[N93] the error %o is %j', (error, words) => {
    expect(errorInWords(error)).toBe(words)
  })

  it('[N93] a stage of a cancel is told in words', () => {
    expect(stageInWords('acknowledged')).toBe('the worker asks the job to stop')
    expect(stageInWords('of_a_newer_server')).toBe('of_a_newer_server')
  })
})
