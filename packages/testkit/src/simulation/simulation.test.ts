import { randomInt } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { faultKinds } from './fault.ts'
import { type History, playHistory } from './play-history.ts'
import { replayCommand } from './replay-command.ts'

const seed = Number(process.env.MILLRACE_SEED ?? randomInt(2 ** 31))
const histories = Number(process.env.MILLRACE_HISTORIES ?? 1_000)

/** Ends a hang on a machine that is busy with other things; an idle one plays a thousand in half a minute. */
const timeout = 60_000 + histories * 1_000

describe(`simulated histories (MILLRACE_SEED=${seed})`, () => {
  it('[X20] [X21] [X22] [X23] [X24] [X25] [X26] none of them breaks a rule, whatever its faults', {
    timeout,
  }, async () => {
    const struck = new Set<string>()
    let jobs = 0
    for (let n = 0; n < histories; n++) {
      const history = await playHistory(seed + n)
      expect(history.problem, told(history)).toBeNull()
      for (const { kind } of history.faults) struck.add(kind)
      jobs += history.jobs
    }
    expect(jobs).toBeGreaterThan(histories * 10)
    if (histories >= 100) expect([...struck].toSorted()).toEqual(faultKinds.toSorted())
  })
})

function told({ seed: its, problem }: History): string {
  return `${problem}\nTo play this history again: ${replayCommand(its)}\n`
}
