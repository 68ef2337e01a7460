import { defaultPolicy, type Job, type Submission, submit } from '@millrace/domain'
import { describe, expect, it } from 'vitest'
import { ErrorBook } from './error-book.ts'
import { errorOfRecord } from './error-record.ts'

function changed(message: string, room = 'lab') {
  const submission = {
    id: 'job-1',
    room,
    scope: 'room',
    category: 'modifiers',
    extension: 'Relax',
    schemaHash: 'h',
    data: {},
    submitter: 'kim',
    priority: 5,
    createdAt: 1,
    policy: defaultPolicy,
  } as unknown as Submission
  const submitted = submit(submission)
  if ('refused' in submitted) throw new Error(submitted.message)
  const before = submitted.next
  const job: Job = { ...before, status: 'failed', endedAt: 9, error: { message } }
  return { before: { job: before }, job }
}

const word = (n: number): string => [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('')

function counts(noted: ReturnType<ErrorBook['note']>): (number | undefined)[] {
  return noted?.put.map(({ head }) => errorOfRecord({ head } as never).count) ?? []
}

describe('ErrorBook', () => {
  it('[G7] a change in which nothing failed has nothing to write', () => {
    const { before } = changed('no')
    expect(new ErrorBook().note('lab', [{ before, job: before.job }], 10)).toBeNull()
  })

  it('[G7] what is alike shares a record, also within one change, and the record carries the sum', () => {
    const book = new ErrorBook()
    const first = book.note('lab', [changed('frame 1'), changed('frame 2')], 10)
    expect(counts(first)).toEqual([2])
    const second = book.note('lab', [changed('frame 3')], 10)
    expect(counts(second)).toEqual([3])
    expect(second?.put[0]?.key).toBe(first?.put[0]?.key)
  })

  it('[G7] a change that was not committed is not counted', () => {
    const book = new ErrorBook()
    book.note('lab', [changed('frame 1')], 10)
    book.note('lab', [changed('frame 2'), changed('other')], 10)?.takeBack()
    expect(counts(book.note('lab', [changed('frame 3'), changed('other')], 10))).toEqual([2, 1])
  })

  it('[G7] a room keeps 50 groups: the one seen longest ago is removed in the commit of the newest', () => {
    const book = new ErrorBook()
    const [first] = book.note('lab', [changed(word(0))], 10)?.put ?? []
    for (let n = 1; n < 50; n++) expect(book.note('lab', [changed(word(n))], 10)?.remove).toEqual([])
    expect(book.note('lab', [changed(word(50))], 10)?.remove).toEqual([first?.key])
  })

  it('[G7] a change with more kinds of errors than a room keeps writes the last of them', () => {
    const book = new ErrorBook()
    const many = Array.from({ length: 80 }, (_, n) => changed(word(n)))
    const noted = book.note('lab', many, 10)
    expect(noted?.put).toHaveLength(50)
    expect(noted?.remove).toEqual([])
  })

  it('[G7] a room that is forgotten begins a record of its own', () => {
    const book = new ErrorBook(1)
    const first = book.note('lab', [changed('no')], 10)
    book.note('attic', [changed('no', 'attic')], 10)
    const again = book.note('lab', [changed('no')], 10)
    expect(counts(again)).toEqual([1])
    expect(again?.put[0]?.key).not.toBe(first?.put[0]?.key)
  })
})
