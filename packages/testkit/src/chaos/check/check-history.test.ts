import { describe, expect, it } from 'vitest'
import type { Incident } from '../fault/inflict.ts'
import { checkHistory } from './check-history.ts'
import type { Evidence, Finding, JobStory } from './evidence.ts'
import { heard, moved, quick, sampleEvidence, stopped, workerKilled } from './sample-evidence.ts'

const good = sampleEvidence()

function rulesOf(evidence: Evidence): readonly string[] {
  return [...new Set(checkHistory(evidence).findings.map(({ rule }) => rule))]
}

function withStory(story: JobStory, from: Partial<Evidence> = {}): Evidence {
  const others = [moved, quick, stopped].filter(({ id }) => id !== story.id)
  return { ...sampleEvidence({ stories: [...others, story] }), ...from }
}

describe('the checks of a run', () => {
  it('[X5] allow a second execution that an attempt before it explains, and count it', () => {
    expect(checkHistory(good)).toEqual({
      jobs: 3,
      lost: 0,
      doubleApplied: 0,
      extraExecutions: 1,
      holdings: 3,
      logLines: 4,
      longestStallMs: 17_500,
      longestLossMs: 15_000,
      findings: [],
    })
  })

  it('[X1] find an acknowledged job that is gone', () => {
    const { findings, lost } = checkHistory(sampleEvidence({ stories: [moved, quick] }))
    expect(lost).toBe(1)
    expect(findings).toContainEqual(expect.objectContaining({ rule: 'X1', job: 'stopped' }))
  })

  it('[X1] find an acknowledged job that did not end', () => {
    const { endedAt: _endedAt, ...open } = { ...stopped, status: 'running' }
    const { findings, lost } = checkHistory(withStory(open))
    expect(lost).toBe(1)
    expect(findings).toEqual([{ rule: 'X1', job: 'stopped', what: 'acknowledged and still running' }])
  })

  it('[X2] find a key that became two jobs', () => {
    const again = {
      step: 'acknowledged',
      at: 1,
      key: 'key-moved',
      room: 'lab',
      job: 'quick',
      created: true,
    } as const
    expect(rulesOf({ ...good, clients: [...good.clients, again] })).toEqual(['X2'])
  })

  it('[X2] find more jobs than were submitted', () => {
    const clients = good.clients.filter((line) => !(line.step === 'submit' && line.key === 'key-quick'))
    expect(rulesOf({ ...good, clients })).toEqual(['X2'])
  })

  it.each<[string, Evidence]>([
    ['its history', withStory({ ...quick, history: [...quick.history, ...quick.history.slice(-1)] })],
    ['its attempts', withStory({ ...quick, attempts: [...quick.attempts, ...quick.attempts] })],
    [
      'what a reader heard',
      {
        ...good,
        sessions: [
          heard,
          {
            ...heard,
            after: 9,
            batches: [{ from: 10, to: 10, events: [{ sequence: 10, job: 'quick', status: 'completed' }] }],
          },
        ],
      },
    ],
  ])('[X3] find a second end in %s', (_where, evidence) => {
    expect(rulesOf(evidence)).toEqual(['X3'])
    expect(checkHistory(evidence).doubleApplied).toBe(1)
  })

  it.each<[string, Evidence]>([
    ['of the worker before', withStory({ ...moved, result: { run: 'run-1' } })],
    ['of another job', withStory({ ...moved, result: { run: 'run-3' } })],
    ['of nobody', withStory({ ...moved, result: { run: 'run-9' } })],
    [
      'of an earlier execution by the same worker',
      withStory({ ...quick, attempts: quick.attempts.map((each) => ({ ...each, assignedAt: 9_000 })) }),
    ],
    [
      'that its worker finished and somebody else had accepted',
      withStory(
        { ...quick, result: { run: 'run-8' } },
        {
          executions: [
            ...good.executions,
            { step: 'begin', at: 2_016, job: 'quick', run: 'run-8', worker: 'rest', pid: 8 },
            { step: 'end', at: 2_017, job: 'quick', run: 'run-8' },
          ],
        },
      ),
    ],
  ])('[X4] find the result %s', (_whose, evidence) => {
    expect(rulesOf(evidence)).toContain('X4')
    expect(checkHistory(evidence).doubleApplied).toBe(1)
  })

  it('[X5] find an execution without an attempt', () => {
    const begin = { step: 'begin', at: 5, job: 'quick', run: 'run-7', worker: 'worker-1', pid: 7 } as const
    expect(rulesOf({ ...good, executions: [...good.executions, begin] })).toEqual(['X5'])
    const unknown = { ...begin, job: 'nobody-knows' }
    expect(rulesOf({ ...good, executions: [...good.executions, unknown] })).toEqual(['X5'])
  })

  it('[X6] find a cancelled job that nobody asked to cancel', () => {
    expect(rulesOf({ ...good, clients: good.clients.filter(({ step }) => step !== 'cancel') })).toEqual([
      'X6',
    ])
  })

  it('[X7] find a gap, a number that comes again, and one that means two things', () => {
    const [first, second, third] = heard.batches
    const spoilt = (batches: (typeof heard)['batches']): Evidence => ({
      ...good,
      sessions: [{ ...heard, batches }],
    })
    expect(rulesOf(spoilt([first!, third!]))).toEqual(['X7'])
    expect(rulesOf(spoilt([first!, second!, { ...third!, from: 8 }]))).toEqual(['X7'])
    expect(rulesOf(spoilt([{ ...first!, events: first!.events.toReversed() }, second!, third!]))).toEqual([
      'X7',
    ])
    const other = { sequence: 8, job: 'quick', status: 'running' }
    const elsewhere = { ...heard, batches: [first!, { ...second!, events: [other] }, third!] }
    expect(rulesOf({ ...good, sessions: [heard, elsewhere] })).toEqual(['X7'])
  })

  it('[X7] do not mind what was missed between two sessions', () => {
    const later = { ...heard, epoch: 'second', after: 40, batches: [{ from: 41, to: 42, events: [] }] }
    expect(rulesOf({ ...good, sessions: [heard, later] })).toEqual([])
  })

  it('[X8] find a reader that believes something else in the end', () => {
    const statuses = new Map([...good.views[0]!.statuses, ['moved', 'running']])
    expect(rulesOf({ ...good, views: [{ ...good.views[0]!, statuses }] })).toEqual(['X8'])
  })

  describe('about leases', () => {
    const back = (target: string, kind: Incident['kind'], until: number, lastedMs: number): Incident => ({
      kind,
      target,
      from: until - lastedMs,
      until,
      backAt: until,
    })
    const alive = good.incidents.filter((incident) => incident !== workerKilled)
    it.each<[string, readonly Incident[], boolean]>([
      [
        'all servers had just started',
        [back('server-1', 'kill-server', 9_500, 50), back('server-2', 'kill-server', 12_000, 50)],
        true,
      ],
      [
        'all had just been continued',
        [back('server-1', 'stop-server', 9_500, 9_000), back('server-2', 'stop-server', 9_500, 9_000)],
        true,
      ],
      ['Redis had just come back', [back('redis', 'kill-redis', 12_000, 9_000)], true],
      ['one server had been up for long', [back('server-1', 'kill-server', 17_000, 50)], false],
      ['they had stood still for a moment only', [back('redis', 'stop-redis', 17_000, 2_000)], false],
      ['all had been up for a grace period', [back('redis', 'kill-redis', 7_500, 9_000)], false],
    ])('[X9] look at a loss when %s', (_when, incidents, isFound) => {
      expect(rulesOf({ ...good, incidents: [...alive, ...incidents] })).toEqual(isFound ? ['X9'] : [])
      expect(rulesOf({ ...good, incidents: [...incidents, workerKilled] })).toEqual([])
    })
  })

  describe('about locks', () => {
    const lock = { room: 'lab', target: 'shared' } as const
    const lines = good.executions
    const given = (run: string, fence: number): Evidence => ({
      ...good,
      executions: lines.map((line) => (line.step === 'held' && line.run === run ? { ...line, fence } : line)),
    })

    it('[X50] find a number that two were given, and a lower one for whoever asked later', () => {
      expect(rulesOf(given('run-2', 8))).toEqual(['X50'])
      expect(rulesOf(given('run-2', 6))).toEqual(['X50'])
      expect(rulesOf(given('run-2', 12))).toEqual([])
    })

    it('[X50] do not mind an answer that reached its worker late, nor the numbers of another lock', () => {
      const first = lines.find((line) => line.step === 'held' && line.run === 'run-1')!
      const late = [...lines.filter((line) => line !== first), first]
      expect(rulesOf({ ...good, executions: late })).toEqual([])
      const elsewhere = lines.map((line) =>
        'target' in line && line.run === 'run-2' ? { ...line, room: 'hall', fence: 1 } : line,
      )
      expect(rulesOf({ ...good, executions: elsewhere })).toEqual([])
    })

    it('[X51] find what was written under a number after a higher one was given', () => {
      const write = { step: 'write', at: 9_000, run: 'run-1', ...lock, fence: 7 } as const
      const written = { ...write, step: 'written' } as const
      expect(rulesOf({ ...good, executions: [...lines, write] })).toEqual([])
      const spoilt = { ...good, executions: [...lines, write, written] }
      expect(rulesOf(spoilt)).toEqual(['X51'])
      expect(checkHistory(spoilt).doubleApplied).toBe(1)
      // Sent before anybody else had it, and answered long after.
      const held = lines.findIndex((line) => line.step === 'held' && line.run === 'run-1') + 1
      expect(rulesOf({ ...good, executions: lines.toSpliced(held, 0, write).concat(written) })).toEqual([])
    })

    const [seventh, eighth, again, free, ninth] = heard.locks
    const holder = { acquiredAt: 2_699, expiresAt: 5_699 }
    it.each<[string, readonly (typeof heard.locks)[number][]]>([
      ['given away while its holder had it', [seventh!, { ...eighth!, holder }]],
      ['given twice under one number', [eighth!, { ...again!, holder: { ...holder, acquiredAt: 2_750 } }]],
      ['given again under the number it was let go of', [eighth!, free!, again!]],
      ['given under a lower number', [ninth!, eighth!]],
    ])('[X52] find a lock that the room heard to be %s', (_how, locks) => {
      expect(rulesOf({ ...good, sessions: [{ ...heard, locks: [...locks] }] })).toEqual(['X52'])
    })
  })

  it('[X53] find a line that stands twice in a log, and one that its job did not write', () => {
    const twice = withStory({ ...quick, log: [...quick.log, ...quick.log] })
    expect(rulesOf(twice)).toEqual(['X53'])
    expect(checkHistory(twice).doubleApplied).toBe(1)
    expect(rulesOf(withStory({ ...quick, log: ['line 1 of run-2'] }))).toEqual(['X53'])
    expect(rulesOf(withStory({ ...quick, log: [] }))).toEqual([])
  })

  it('[X10] find that nothing ended for too long while something waited', () => {
    expect(rulesOf({ ...good, stallBoundMs: 17_499 })).toEqual(['X10'])
    expect(rulesOf({ ...good, stallBoundMs: 17_500 })).toEqual([])
  })

  describe('about a job whose worker was killed', () => {
    // Something else ends all the time.
    const busy = [7_000, 12_000, 17_000].map((at) => ({
      ...stopped,
      id: `busy-${at}`,
      endedAt: at,
    }))
    const bounded = sampleEvidence({ stories: [moved, quick, stopped, ...busy], stallBoundMs: 14_999 })
    const lossesIn = (evidence: Evidence): readonly Finding[] =>
      checkHistory(evidence).findings.filter(({ rule }) => rule === 'X54')

    it('[X54] find that it was left with it for too long, though others went on', () => {
      expect(checkHistory(bounded).longestStallMs).toBeLessThan(14_999)
      expect(lossesIn(bounded)).toEqual([expect.objectContaining({ job: 'moved' })])
      expect(lossesIn({ ...bounded, stallBoundMs: 15_000 })).toEqual([])
    })

    it('[X54] count from when the servers were back', () => {
      const backs = good.servers.map(
        (target): Incident => ({ kind: 'kill-server', target, from: 3_500, until: 5_000, backAt: 5_000 }),
      )
      const later = { ...bounded, incidents: [workerKilled, ...backs] }
      expect(checkHistory(later).longestLossMs).toBe(13_000)
      expect(lossesIn(later)).toEqual([])
    })
  })

  it('[X11] find a process that ended by itself', () => {
    expect(rulesOf({ ...good, crashes: [{ station: 'server-1', lastWords: 'oh' }] })).toEqual(['X11'])
  })
})
