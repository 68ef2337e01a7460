// What follows from the configuration without being an option of its own.

import { join } from 'node:path'
import type { Config } from './config.ts'

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
}

export function storeFile({ dataDir }: Config): string {
  return join(dataDir, 'store.db')
}
