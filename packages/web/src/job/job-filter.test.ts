import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  filterOfSearch,
  type JobFilter,
  matches,
  mayHaveCome,
  queryOfFilter,
  searchOfFilter,
} from './job-filter.ts'
import type { JobRow } from './job-row.ts'

const row: JobRow = {
  id: 'a',
  room: 'lab',
  category: 'analysis',
  extension: 'Pi',
  submitter: 'ada',
  status: 'failed',
  createdAt: 1,
}

const submit = { status: 'pending' as const, category: 'analysis' }

describe('a filter', () => {
  it('[U42] goes through the address bar unchanged', () => {
    const text = fc.string({ minLength: 1 })
    const filter = fc.record(
      {
        status: fc.subarray(['pending', 'running', 'failed'] as const, { minLength: 1 }),
        category: text,
        extension: text,
        submitter: text,
        search: text,
        deadLetters: fc.constant(true as const),
        within: fc.integer({ min: 1, max: 1e9 }),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<JobFilter>
    fc.assert(
      fc.property(filter, (wanted) => {
        const address = new URLSearchParams(searchOfFilter(wanted)).toString()
        expect(filterOfSearch(Object.fromEntries(new URLSearchParams(address)))).toEqual(wanted)
      }),
      { seed: 6 },
    )
  })

  it('[U42] leaves out what makes no sense in an address', () => {
    expect(filterOfSearch({ status: 'failed,nonsense', within: 'soon', submitter: '' })).toEqual({
      status: ['failed'],
    })
  })

  it('[U42] says of a row whether it belongs, and when only the server knows', () => {
    expect(matches({}, row)).toBe(true)
    expect(matches({ status: ['failed'], submitter: 'ada' }, row)).toBe(true)
    expect(matches({ status: ['running'] }, row)).toBe(false)
    expect(matches({ extension: 'Other' }, row)).toBe(false)
    expect(matches({ search: 'x' }, row)).toBeNull()
    expect(queryOfFilter({ status: ['failed', 'pending'], within: 10 }, 100)).toEqual({
      status: 'failed,pending',
      since: 90,
    })
  })

  it.each<[string, boolean, JobFilter, JobRow | undefined, readonly { status: JobRow['status'] }[]]>([
    ['failed and is unknown', true, { status: ['failed'] }, undefined, [{ status: 'failed' }]],
    [
      'ran and then failed',
      true,
      { status: ['failed'] },
      undefined,
      [{ status: 'running' }, { status: 'failed' }],
    ],
    ['runs and is unknown', false, { status: ['failed'] }, undefined, [{ status: 'running' }]],
    ['ended and was known from the start', false, { status: ['failed'] }, row, [{ status: 'failed' }]],
    ['may have used up its tries', true, { deadLetters: true }, undefined, [{ status: 'failed' }]],
    ['was known and may have used them up', true, { deadLetters: true }, row, [{ status: 'failed' }]],
    ['is no dead letter', false, { deadLetters: true }, undefined, [{ status: 'completed' }]],
    ['is new and may be what is searched for', true, { search: 'x' }, row, [submit]],
    ['is new and of another extension', false, { search: 'x', extension: 'Other' }, row, [submit]],
    ['is old and was not what is searched for', false, { search: 'x' }, row, [{ status: 'failed' }]],
    ['is old and not in a list without a filter', false, {}, undefined, [{ status: 'failed' }]],
  ])('[U110] of a job that %s the server is asked: %s', (_, asked, filter, known, patches) => {
    expect(mayHaveCome(filter, known, patches)).toBe(asked)
  })
})
