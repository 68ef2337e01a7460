// Large bodies are buffers outside of V8's heap, and after every 64 MB of them it collects the whole heap, however little
// of it is used: a few bodies a second made everybody wait for it several times a second. Counted together with the heap
// they are collected as its size demands. Node 22 does not know the flag, and says so on stderr.

import { setFlagsFromString } from 'node:v8'

const knownSince = 24

export function countExternalMemory(): void {
  const major = Number(process.versions.node.split('.')[0])
  if (major >= knownSince) setFlagsFromString('--external-memory-accounted-in-global-limit')
}
