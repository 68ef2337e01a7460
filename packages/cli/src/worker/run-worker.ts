// millrace worker <file>

import { Command, Option } from 'commander'
import { type GlobalFlags, sessionOf, withExamples, withMore, withRoom } from '../command.ts'
import { self } from '../output/own-name.ts'
import { howeverBusy } from '../process/however-busy.ts'
import { requireToken } from '../process/require-token.ts'
import { slotCount } from '../process/slot-count.ts'
import { supervisorLine } from '../process/supervisor-line.ts'
import { keepWorker } from './keep-worker.ts'
import { refuseOtherFiles } from './refuse-other-files.ts'
import type { ServeFlags } from './serve-file.ts'
import { watchWorker } from './watch-worker.ts'

type WorkerFlags = GlobalFlags & ServeFlags

const more = `
The file exports extensions (\`export const relax = defineExtension({ … })\`), and a worker is made for them; or it starts
one of its own, with MILLRACE_URL, MILLRACE_TOKEN and MILLRACE_ROOM set as this command found them.

Every job that ends is told in a line: which, how, and after how long; with --json in one JSON text.

Ctrl-C takes no more jobs, lets those that run end for up to 30 s, and stops; with --watch they get 3 s, as at a change of
the file. What has not ended by then is run again, here or by another worker. Ctrl-C again does not wait.

Somebody else's machine gets a token of its own: \`${self} tokens create --room lab\`, given there as MILLRACE_TOKEN.`

export function runWorkerCommand(): Command {
  const command = withRoom(new Command('worker'))
    .description('run the extensions of a TypeScript or JavaScript file')
    .argument('<file>', 'what to run')
    .option('--watch', 'run it anew when it, or a file it imports, changes')
    .option('--slots <count>', 'jobs at the same time (default: 1)', slotCount)
    .addOption(
      new Option('--isolation <how>', 'process: every job in a process that can be killed').choices([
        'none',
        'process',
      ]),
    )
    .option('--quiet', 'no line for every job that ends')
    .addOption(howeverBusy())
    .action(runWorker)
  return withExamples(
    withMore(command, more),
    'millrace worker relax.ts --watch',
    'millrace worker relax.ts --slots 4 --isolation process',
  )
}

/** Here it is only looked after; the process that this command starts for it serves it, and loads the SDK. */
async function runWorker(file: string, flags: WorkerFlags): Promise<void> {
  const { terminal, target } = sessionOf(flags)
  requireToken(target)
  refuseOtherFiles(file)
  if (supervisorLine() !== null) {
    const { serveFile } = await import('./serve-file.ts')
    return serveFile(file, target, flags, terminal)
  }
  return flags.watch === true ? watchWorker(file, target, terminal) : keepWorker(terminal)
}
