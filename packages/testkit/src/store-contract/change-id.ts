// A fresh id for a change or a claim: a UUIDv7, as the port asks for, because a store may look at its instant.

import { randomUUID } from 'node:crypto'

export function changeId(now: number = Date.now()): string {
  const instant = now.toString(16).padStart(12, '0')
  return `${instant.slice(0, 8)}-${instant.slice(8)}-7${randomUUID().slice(15)}`
}
