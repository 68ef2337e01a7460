// millrace doctor: looks at everything a job needs, from this Node to the worker, and says what to do about what lacks.

import { Command } from 'commander'
import { type GlobalFlags, type Session, sessionOf, withExamples, withRoom } from '../command.ts'
import { exitCodes } from '../output/cli-error.ts'
import type { Style, Terminal } from '../output/terminal.ts'
import { version } from '../version.ts'
import { type Check, fail, lookAt, ok, type Verdict } from './check.ts'
import { checkCaller } from './check-caller.ts'
import { checkServer } from './check-server.ts'
import { checkSocket } from './check-socket.ts'
import { checkWork } from './check-work.ts'

interface Flags extends GlobalFlags {
  readonly quiet?: boolean
}

const leastNode: readonly [number, number] = [22, 18]

const marks: Readonly<Record<Verdict, readonly [Style, string]>> = {
  ok: ['green', 'ok'],
  warn: ['yellow', 'warn'],
  fail: ['red', 'FAIL'],
  skip: ['dim', 'skip'],
}

export function doctorCommand(): Command {
  const command = withRoom(new Command('doctor'))
    .description('look at everything a job needs; exit code 1 if something fails')
    .option('-q, --quiet', 'say only what is wrong')
    .action(async (flags: Flags) => {
      const session = sessionOf(flags)
      const { terminal } = session
      const checks = await allChecks(session)
      const isWell = checks.every(({ verdict }) => verdict !== 'fail')
      const told = flags.quiet === true ? checks.filter(({ verdict }) => isWrong(verdict)) : checks
      terminal.result({ ok: isWell, checks: told }, (shown) => showChecks(shown.checks, terminal))
      if (!isWell) process.exitCode = exitCodes.refused
    })
  return withExamples(command, 'millrace doctor', 'millrace doctor --quiet --url http://127.0.0.1:7717')
}

async function allChecks(session: Session): Promise<readonly Check[]> {
  const node = await lookAt('node', nodeFound)
  const server = await checkServer(session.api, version)
  if (server.some(({ name, verdict }) => name === 'server' && verdict === 'fail')) return [node, ...server]
  const caller = await checkCaller(session)
  const isKnown = session.target.token !== null && caller[0]?.verdict !== 'fail'
  if (!isKnown) return [node, ...server, ...caller]
  const [work, socket] = await Promise.all([checkWork(session), checkSocket(session.target)])
  return [node, ...server, ...caller, ...work, socket]
}

function nodeFound(): ReturnType<typeof ok> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isNew = major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1])
  return isNew
    ? ok(process.version)
    : fail(`${process.version}; it has to be ${leastNode.join('.')} or newer`)
}

function isWrong(verdict: Verdict): boolean {
  return verdict === 'warn' || verdict === 'fail'
}

function showChecks(checks: readonly Check[], { style }: Terminal): string {
  return checks
    .flatMap(({ name, verdict, found, next }) => {
      const [colour, word] = marks[verdict]
      const line = `${style(colour, word.padEnd(4))}  ${name.padEnd(10)}  ${found}`
      return next === undefined ? [line] : [line, `${' '.repeat(18)}→ ${next}`]
    })
    .join('\n')
}
