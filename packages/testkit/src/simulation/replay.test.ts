import { describe, expect, it } from 'vitest'
import { type PlantedBug, plantedBugs } from './planted-bug.ts'
import { type History, playHistory } from './play-history.ts'
import { replayCommand } from './replay-command.ts'

async function firstFailed(bug: PlantedBug): Promise<History> {
  for (let seed = 1; ; seed++) {
    const history = await playHistory(seed, bug)
    if (history.problem !== null || seed === 40) return history
  }
}

describe('playing a history again', { timeout: 120_000 }, () => {
  it('[X27] the same seed gives the same trace, whatever was played before it', async () => {
    const first = await playHistory(7)
    for (const seed of [8, 9]) await playHistory(seed)
    const again = await playHistory(7)
    expect(again).toEqual(first)
    expect(first.events).toBeGreaterThan(1_000)
  })

  it('[X27] another seed gives another trace', async () => {
    const hashes = new Set<string>()
    for (let seed = 20; seed < 30; seed++) hashes.add((await playHistory(seed)).hash)
    expect(hashes.size).toBe(10)
  })

  it('[X27] a history that fails fails again at the same event with the same words', async () => {
    const bug = plantedBugs['applies a change whatever version it was decided on']
    const failed = await firstFailed(bug)
    expect(failed.problem).not.toBeNull()
    expect(await playHistory(failed.seed, bug)).toEqual(failed)
  })

  it('[X27] the command that plays it names its seed', () => {
    expect(replayCommand(42)).toMatch(
      /^MILLRACE_SEED=42 MILLRACE_HISTORIES=1 npm test -- \S+simulation\.test\.ts$/,
    )
  })
})
