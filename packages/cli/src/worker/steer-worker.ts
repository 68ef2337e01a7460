// millrace workers drain, undrain and disconnect: whether a worker gets jobs, or goes.

import type { WorkerView } from '@millrace/protocol'
import { Command } from 'commander'
import { type GlobalFlags, sessionOf, withExamples, withTarget } from '../command.ts'
import type { Address } from '../connection/api.ts'
import { self } from '../output/own-name.ts'

type Deed = Extract<Address, `${string} /api/workers/{id}/${'drain' | 'disconnect'}`>

export function steerWorkerCommands(): readonly Command[] {
  return [
    withExamples(
      steering(
        'drain',
        'give it nothing new; what it runs it finishes',
        'POST /api/workers/{id}/drain',
        showDrained,
      ),
      'millrace workers drain gpu-box',
    ),
    withExamples(
      steering('undrain', 'give it jobs again', 'DELETE /api/workers/{id}/drain', showUndrained),
      'millrace workers undrain gpu-box',
    ),
    withExamples(
      steering(
        'disconnect',
        'send it away at once; its jobs go to others, and it may come back',
        'POST /api/workers/{id}/disconnect',
        ({ id }) => `${id} was sent away. What it ran goes to others; it may register again.`,
      ),
      'millrace workers disconnect gpu-box',
    ),
  ]
}

function steering(name: string, about: string, deed: Deed, show: (worker: WorkerView) => string): Command {
  return withTarget(new Command(name))
    .description(about)
    .argument('<worker>', `its id; \`${self} workers ls\` lists them`)
    .action(async (id: string, flags: GlobalFlags) => {
      const { api, terminal } = sessionOf(flags)
      terminal.result(await api.ask(deed, { params: { id } }), show)
    })
}

function showDrained({ id, running }: WorkerView): string {
  const rest =
    running === 0
      ? 'it runs nothing'
      : `it finishes the ${running === 1 ? 'job' : `${running} jobs`} that it runs`
  return `${id} gets nothing new; ${rest}.`
}

/** One that is drained no longer may get nothing for another reason. */
function showUndrained({ id, healthy, reason, presence }: WorkerView): string {
  return healthy
    ? `${id} gets jobs again.`
    : `${id} is not drained any more, but gets nothing: ${reason ?? presence}.`
}
