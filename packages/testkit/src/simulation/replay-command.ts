// How to play one history again, for whoever reads of a failure.

export function replayCommand(seed: number): string {
  return `MILLRACE_SEED=${seed} MILLRACE_HISTORIES=1 npm test -- packages/testkit/src/simulation/simulation.test.ts`
}
