import { describe, expect, it } from 'vitest'
import { WorkerError } from '../worker-error.ts'
import { runnerEnvironment } from './runner-environment.ts'

const environment = {
  PATH: '/usr/bin',
  LC_TIME: 'de_DE.UTF-8',
  NODE_ENV: 'production',
  NODE_OPTIONS: '--require ./spy.js',
  MILLRACE_TOKEN: 'secret',
  MILLRACE_JWT_SECRET: 'secret',
  AWS_REGION: 'north',
  AWS_SECRET: 'secret',
  REDIS_URL: 'redis://secret',
  nothing: undefined,
}

describe('the environment of a runner', () => {
  it('[O6] holds what programs need and no secret', () => {
    expect(runnerEnvironment(environment, [])).toEqual({
      PATH: '/usr/bin',
      LC_TIME: 'de_DE.UTF-8',
      NODE_ENV: 'production',
    })
  })

  it('[O6] holds what the worker names, by name or by beginning', () => {
    expect(runnerEnvironment(environment, ['AWS_REGION', 'nothing'])).toMatchObject({ AWS_REGION: 'north' })
    expect(runnerEnvironment(environment, ['AWS_*'])).toMatchObject({
      AWS_REGION: 'north',
      AWS_SECRET: 'secret',
    })
  })

  it.each(['MILLRACE_TOKEN', 'MILLRACE_*', '*'])('[O6] naming %s is refused', (name) => {
    expect(() => runnerEnvironment(environment, [name])).toThrow(WorkerError)
  })

  it('[O6] variables of Millrace stay out whatever pattern fits them', () => {
    expect(Object.keys(runnerEnvironment(environment, ['M*']))).not.toContain('MILLRACE_TOKEN')
  })
})
