// The simulation must see something: with each of these bugs between the server and its world it finds a history that
// goes wrong, and says what is wrong with it. The seeds are fixed, and few: a bug that takes luck to find is not found.

import { describe, expect, it } from 'vitest'
import { type BugName, plantedBugs } from './planted-bug.ts'
import { playHistory } from './play-history.ts'

const seedsTried = 150

async function firstProblem(name: BugName): Promise<string | null> {
  for (let seed = 1; seed <= seedsTried; seed++) {
    const { problem } = await playHistory(seed, plantedBugs[name])
    if (problem !== null) return problem.split('\n')[0] ?? ''
  }
  return null
}

describe('a simulated server with a planted bug', { timeout: 300_000 }, () => {
  it('[X20] [X28] that acknowledges submits before they are committed loses jobs', async () => {
    expect(await firstProblem('acknowledges a submit before it is committed')).toMatch(
      /was acknowledged and is lost/,
    )
  })

  it('[X20] [X26] [X28] that never looks at jobs that are due leaves them lying', async () => {
    expect(await firstProblem('never looks at jobs that are due')).toMatch(
      /nothing came to rest: .*job .* is /,
    )
  })

  it('[X21] [X28] that applies changes whatever version they were decided on overwrites what others wrote', async () => {
    const problem = await firstProblem('applies a change whatever version it was decided on')
    expect(problem).toMatch(/ended again|was overwritten|was current|without a claim|vanished|counts|fell to/)
  })

  it('[X21] [X28] that lets any token speak takes results of superseded attempts', async () => {
    expect(await firstProblem('lets any token speak for the current attempt')).toMatch(/but the result is by/)
  })

  it('[X22] [X28] that does not look at limits when it claims exceeds them', async () => {
    expect(await firstProblem('does not look at limits when it claims')).toMatch(/running.* is \d+, limit \d/)
  })

  it('[X22] [X28] that forgets to count down has more running than there is', async () => {
    expect(await firstProblem('forgets to count down what no longer runs')).toMatch(
      /counts \d+ running jobs and has \d/,
    )
  })

  it('[X23] [X28] that loses an event of the log leaves a gap', async () => {
    expect(await firstProblem('loses an event of the log now and then')).toMatch(
      /event \d+ of .* followed event \d+/,
    )
  })

  it('[X24] [X28] that expires leases right after a restart is early', async () => {
    expect(await firstProblem('expires leases right after a restart')).toMatch(/ms before the grace was over/)
  })

  it('[X25] [X28] that does nothing about a cancel lets cancelled jobs fail', async () => {
    expect(await firstProblem('does nothing about a cancel')).toMatch(/was cancelled and is failed/)
  })
})
