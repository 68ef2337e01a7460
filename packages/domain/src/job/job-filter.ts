// Which jobs a page asked for. Lists narrow the search beforehand; this decides about each job that was looked at.

import type { Job, JobStatus } from './job.ts'

export interface JobFilter {
  readonly statuses?: readonly JobStatus[]
  readonly category?: string
  readonly extension?: string
  readonly submitter?: string
  readonly deadLetters?: boolean
  /** Found anywhere in the job's data, upper and lower case alike. */
  readonly text?: string
  readonly data?: readonly DataCondition[]
}

/** A condition on the value at a JSON pointer of the job's data; one that is not there meets no condition. */
export interface DataCondition {
  readonly pointer: string
  readonly is: 'equal' | 'less' | 'greater'
  readonly value: string | number | boolean | null
}

export function meetsFilter(job: Job, filter: JobFilter): boolean {
  const { submission } = job
  const { statuses, category, extension, submitter, deadLetters, text, data = [] } = filter
  return (
    (statuses === undefined || statuses.includes(job.status)) &&
    (category === undefined || submission.category === category) &&
    (extension === undefined || submission.extension === extension) &&
    (submitter === undefined || submission.submitter === submitter) &&
    (deadLetters === undefined || job.deadLetter === deadLetters) &&
    (text === undefined || holdsText(submission.data, text)) &&
    data.every((condition) => meetsCondition(submission.data, condition))
  )
}

function holdsText(data: unknown, text: string): boolean {
  return (JSON.stringify(data) ?? '').toLowerCase().includes(text.toLowerCase())
}

function meetsCondition(data: unknown, { pointer, is, value }: DataCondition): boolean {
  const found = valueAt(data, pointer)
  if (is === 'equal') return found === value
  if (typeof found !== typeof value || found === null || value === null) return false
  if (typeof found !== 'number' && typeof found !== 'string') return false
  return is === 'less' ? found < value : found > value
}

/** RFC 6901. Only own properties count: a pointer to `constructor` finds nothing that the submitter did not put there. */
function valueAt(data: unknown, pointer: string): unknown {
  if (pointer === '') return data
  if (!pointer.startsWith('/')) return undefined
  let value = data
  for (const part of pointer.slice(1).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}
