// This command line as a program that can be started again, for commands that have a process of their own.

import { fileURLToPath } from 'node:url'

export const ownMain: string = fileURLToPath(new URL('../main.ts', import.meta.url))
