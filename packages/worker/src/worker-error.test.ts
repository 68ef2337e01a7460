import { describe, expect, it } from 'vitest'
import { JobAborted, WorkerError, WorkerRefused } from './worker-error.ts'

const problem = {
  type: 'about:blank',
  title: 'x',
  status: 409,
  code: 'extension_schema_conflict',
  detail: 'Two.',
}

describe('errors of the package', () => {
  it('[K19] are recognised across two copies of it', async () => {
    const copy: typeof import('./worker-error.ts') = await import(`${'./worker-error.ts'}?copy`)
    expect(copy.JobAborted).not.toBe(JobAborted)
    const aborted = new copy.JobAborted('cancelled', 'The job was cancelled.')
    expect(aborted instanceof JobAborted).toBe(true)
    expect(aborted instanceof WorkerError).toBe(true)
    expect(aborted instanceof WorkerRefused).toBe(false)
    expect(new JobAborted('stopping', 'x') instanceof copy.WorkerError).toBe(true)
  })

  it('[K19] are told from other errors, and say what they are', () => {
    expect(new Error('x') instanceof WorkerError).toBe(false)
    expect((null as unknown) instanceof WorkerError).toBe(false)
    const refused = new WorkerRefused(problem)
    expect(refused).toMatchObject({
      name: 'WorkerRefused',
      code: 'extension_schema_conflict',
      message: 'Two. (extension_schema_conflict)',
    })
    expect(refused).toBeInstanceOf(Error)
  })
})
