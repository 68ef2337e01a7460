// millrace extensions pause, resume and reset: whether the jobs of an extension wait or go on.

import type { ExtensionDetail, ExtensionView } from '@millrace/protocol'
import { Command } from 'commander'
import { type GlobalFlags, type Session, sessionOf, withExamples, withRoom } from '../command.ts'
import { roomOf } from '../connection/target.ts'
import { holdFacts } from './extension-hold.ts'
import { findExtension, nameOf } from './find-extension.ts'

type Verb = 'pause' | 'resume' | 'reset-breaker'

const address = '/api/rooms/{room}/extensions/{scope}/{category}/{name}'

export function steerExtensionCommands(): readonly Command[] {
  return [
    withExamples(
      steering('pause', 'let its jobs wait; what runs goes on', 'pause'),
      'millrace extensions pause Relax',
    ),
    withExamples(
      steering('resume', 'let the jobs of a paused extension go on', 'resume'),
      'millrace extensions resume Relax',
    ),
    withExamples(
      steering(
        'reset',
        'it is mended: close its breaker, without waiting for a job to be tried',
        'reset-breaker',
      ),
      'millrace extensions reset Relax',
    ),
  ]
}

function steering(name: string, about: string, verb: Verb): Command {
  return withRoom(new Command(name))
    .description(about)
    .argument('<extension>', 'name or category/name')
    .action(async (named: string, flags: GlobalFlags) => {
      const session = sessionOf(flags)
      const before = await findExtension(session, named)
      const isIdle = verb === 'reset-breaker' && before.breaker.state === 'closed'
      const remark = isIdle ? 'No breaker was open. ' : ''
      session.terminal.result(await ask(session, before, verb), (after) => remark + showHold(after))
    })
}

async function ask(session: Session, extension: ExtensionView, verb: Verb): Promise<ExtensionDetail> {
  const { scope, category, name } = extension
  const params = { room: roomOf(session.target), scope, category, name }
  return session.api.ask(`POST ${address}/${verb}`, { params })
}

/** What keeps them after all is said: a breaker that was reset may belong to an extension that is paused. */
function showHold(extension: ExtensionDetail): string {
  const holds = holdFacts(extension, Date.now()).map(([what, how]) => `${what} ${how}`)
  return holds.length === 0
    ? `Jobs of ${nameOf(extension)} go on.`
    : `Jobs of ${nameOf(extension)} wait: ${holds.join('; ')}.`
}
