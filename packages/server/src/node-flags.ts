// How Node is to be started for a server; the command `millrace` says the same. Left alone, V8 lets the space for young
// objects grow to several times this after a burst and keeps it: a thousand workers that register would cost 100 kB each
// instead of 35.

export const nodeFlags: readonly string[] = ['--max-semi-space-size=16']
