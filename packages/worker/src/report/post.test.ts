import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Post, type Readers } from './post.ts'
import { completedReport, startedReport } from './report.ts'
import { heard, SampleLine, sampleProblem, sampleRef, turn } from './sample-line.ts'

const ref = sampleRef('a')

class Notes implements Readers {
  readonly all: string[] = []
  heard(token: string): void {
    this.all.push(`heard ${token}`)
  }
  gone(token: string): void {
    this.all.push(`gone ${token}`)
  }
  unacceptable(): void {
    this.all.push('unacceptable')
  }
  ignored(): void {
    this.all.push('ignored')
  }
  unknown(): void {
    this.all.push('unknown')
  }
}

function setUp(): { post: Post; line: SampleLine; notes: Notes } {
  const notes = new Notes()
  const post = new Post(notes)
  const line = new SampleLine()
  post.open(line.line)
  return { post, line, notes }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the post', () => {
  it('[K2] gathers what is reported in one turn of the event loop', async () => {
    const { post, line } = setUp()
    for (const name of ['a', 'b', 'c']) {
      post.report(startedReport(sampleRef(name)))
      await Promise.resolve()
      post.report(completedReport(sampleRef(name), undefined, 8))
    }
    await turn()
    expect(line.events).toEqual(['job:completed a b c'])
  })

  it('[K2] does not wait for an answer before it sends the next message', async () => {
    const { post, line } = setUp()
    for (const name of ['a', 'b']) {
      post.report(completedReport(sampleRef(name), undefined, 8))
      await turn()
    }
    expect(line.events).toEqual(['job:completed a', 'job:completed b'])
  })

  it('[K1] keeps everything while there is no line, and sends it over the next', async () => {
    const { post, line, notes } = setUp()
    post.report(completedReport(ref, 1, 8))
    await turn()
    const [lost] = line.said
    post.close()
    const next = new SampleLine()
    post.open(next.line)
    await turn()
    expect(next.events).toEqual(['job:completed a'])
    lost!.answer(heard(1))
    expect(notes.all).toEqual([])
    next.acknowledge()
    expect(notes.all).toEqual([`heard ${ref.token}`])
    await post.emptied()
  })

  it('[K5] tells how far a job is ten times a second', async () => {
    const { post, line } = setUp()
    for (let ms = 0; ms < 1_000; ms += 1) {
      post.progress(ref, ms / 1_000)
      vi.advanceTimersByTime(1)
      if (ms % 10 === 0) await turn()
    }
    await turn()
    expect(line.events).toHaveLength(10)
  })

  it('[K4] sends the lines of a job before its outcome', async () => {
    const { post, line } = setUp()
    post.report(startedReport(ref))
    post.log(ref, 'almost there')
    post.report(completedReport(ref, 1, 8))
    await turn()
    expect(line.events).toEqual(['job:started a', 'job:log a'])
    line.acknowledge()
    await turn()
    expect(line.events).toEqual(['job:completed a'])
  })

  it('[K8] one report that the server cannot read does not keep the others from being heard', async () => {
    const { post, line, notes } = setUp()
    for (const name of ['a', 'bad', 'c', 'd']) post.report(completedReport(sampleRef(name), 1, 8))
    await turn()
    for (let round = 0; round < 3; round += 1) {
      for (const { entries, answer } of line.said.splice(0)) {
        const spoilt = entries.some(({ job }) => job === 'bad')
        answer(spoilt ? { ok: false, problem: sampleProblem('request_invalid', 422) } : heard(entries.length))
      }
    }
    expect(notes.all.toSorted()).toEqual([
      'heard token of a',
      'heard token of c',
      'heard token of d',
      'unacceptable',
    ])
    await post.emptied()
  })

  it.each([
    ['a message', { ok: false, problem: sampleProblem('store_unavailable', 503) } as const],
    ['a report', { ok: true, answers: [{ problem: sampleProblem('store_unavailable', 503) }] } as const],
    ['nothing', null],
  ])(
    '[K9] when %s is answered as not possible now, it is sent again after a second',
    async (_what, answer) => {
      const { post, line } = setUp()
      post.report(completedReport(ref, 1, 8))
      await turn()
      line.said.splice(0)[0]!.answer(answer)
      post.report(completedReport(sampleRef('b'), 1, 8))
      await turn()
      expect(line.events).toEqual([])
      vi.advanceTimersByTime(1_000)
      await turn()
      expect(line.events).toHaveLength(1)
      expect(line.said[0]!.entries).toHaveLength(2)
    },
  )

  it.each([
    ['worker_lost', 409],
    ['credential_expired', 401],
  ])('[K9] after %s (%i) the worker registers again and says it again', async (code, status) => {
    const { post, line, notes } = setUp()
    post.report(completedReport(ref, 1, 8))
    await turn()
    line.said.splice(0)[0]!.answer({ ok: false, problem: sampleProblem(code, status) })
    expect(notes.all).toEqual(['unknown'])
    post.close()
    const next = new SampleLine()
    post.open(next.line)
    await turn()
    expect(next.events).toEqual(['job:completed a'])
  })

  it('[K6] an answer about an attempt that was dropped meanwhile is not read', async () => {
    const { post, line, notes } = setUp()
    post.report(completedReport(ref, 1, 8))
    await turn()
    post.drop(new Set([ref.token]))
    line.acknowledge()
    expect(notes.all).toEqual([])
    await post.emptied()
  })
})
