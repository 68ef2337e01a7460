// What the process that runs a worker's file and the command that looks after it say to each other.

import type { FileStamp } from './file-stamp.ts'

/** A question that is answered with itself, by a process whose event loop turns. */
export const areYouThere = 'there?'

/** The file is being served, by handlers in that very process; named is their extension where it is the only one. */
export interface Serving {
  readonly serving: string | null
}

/** A stamp is that of a file the worker is made of. */
export type RunMessage = typeof areYouThere | Serving | FileStamp
