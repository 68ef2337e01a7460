// millrace worker <file>

import { Command, Option } from 'commander'
import { type GlobalFlags, sessionOf, withExamples, withRoom } from '../command.ts'
import { howeverBusy } from '../process/however-busy.ts'
import { requireToken } from '../process/require-token.ts'
import { slotCount } from '../process/slot-count.ts'
import { refuseOtherFiles } from './refuse-other-files.ts'
import type { ServeFlags } from './serve-file.ts'

interface WorkerFlags extends GlobalFlags, ServeFlags {
  readonly watch?: boolean
}

const more = `
The file exports extensions (\`export const relax = defineExtension({ … })\`), and a worker is made for them; or it starts
one of its own, with MILLRACE_URL, MILLRACE_TOKEN and MILLRACE_ROOM set as this command found them.
Ctrl-C takes no more jobs, lets those that run end, and stops; with --watch they get 3 s, as at a change of the file,
and what has not ended by then is run again, here or by another worker.
Somebody else's machine gets a token of its own: \`millrace tokens create --room lab\`, given there as MILLRACE_TOKEN.`

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
    .addOption(howeverBusy())
    .addHelpText('after', more)
    .action(runWorker)
  return withExamples(
    command,
    'millrace worker relax.ts --watch',
    'millrace worker relax.ts --slots 4 --isolation process',
  )
}

/** The SDK is loaded by whoever needs it: other commands should not wait for it. */
async function runWorker(file: string, flags: WorkerFlags): Promise<void> {
  const { terminal, target } = sessionOf(flags)
  requireToken(target)
  refuseOtherFiles(file)
  if (flags.watch === true) {
    const { watchWorker } = await import('./watch-worker.ts')
    return watchWorker(file, terminal)
  }
  const { serveFile } = await import('./serve-file.ts')
  return serveFile(file, target, flags, terminal)
}
