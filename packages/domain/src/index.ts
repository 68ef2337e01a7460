// The domain decides. It has no clock, no dice and no I/O: instants and random numbers are handed in.

export * from './ids.ts'
export * from './refusal.ts'
export * from './job/job.ts'
export * from './job/policy.ts'
