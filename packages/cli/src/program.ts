// The tree of commands. Each file adds its own; nothing is decided here. What an action needs beyond words is loaded when
// it runs: help and completion must not wait for a server's parts.

import { Command, Help, type Option } from 'commander'
import { listAuditCommand } from './audit/list-audit.ts'
import { noun, where } from './command.ts'
import { completeCommand } from './completion/complete-command.ts'
import { completionCommand } from './completion/completion.ts'
import { printConfigCommand } from './config/print-config.ts'
import { printOpenapiCommand } from './config/print-openapi.ts'
import { runDevCommand } from './dev/run-dev.ts'
import { doctorCommand } from './doctor/doctor.ts'
import { getExtensionCommand } from './extension/get-extension.ts'
import { listExtensionsCommand } from './extension/list-extensions.ts'
import { steerExtensionCommands } from './extension/steer-extension.ts'
import { helpCommand } from './help-command.ts'
import { cancelJobCommand } from './job/cancel-job.ts'
import { deadLettersCommand } from './job/dead-letters.ts'
import { followJobCommand } from './job/follow-job-command.ts'
import { getJobCommand } from './job/get-job.ts'
import { jobLogsCommand } from './job/job-logs.ts'
import { listJobsCommand } from './job/list-jobs.ts'
import { retryJobCommand } from './job/retry-job.ts'
import { submitCommand } from './job/submit-job.ts'
import { whyJobCommand } from './job/why-job.ts'
import { loginCommand } from './login/login.ts'
import { logoutCommand } from './login/logout.ts'
import { profilesCommand } from './login/profiles.ts'
import { whoamiCommand } from './login/whoami.ts'
import { self } from './output/own-name.ts'
import { runPoolCommand } from './pool/run-pool.ts'
import { changeRoomCommands } from './room/change-room.ts'
import { createRoomCommand } from './room/create-room.ts'
import { getRoomCommand } from './room/get-room.ts'
import { listRoomsCommand } from './room/list-rooms.ts'
import { roomMembersCommand } from './room/room-members.ts'
import { useRoomCommand } from './room/use-room.ts'
import { runStartCommand } from './start/run-start.ts'
import { createTokenCommand } from './token/create-token.ts'
import { listTokensCommand } from './token/list-tokens.ts'
import { revokeTokenCommand } from './token/revoke-token.ts'
import { changePasswordCommand, changeRoleCommand } from './user/change-user.ts'
import { createUserCommand } from './user/create-user.ts'
import { listUsersCommand } from './user/list-users.ts'
import { removeUserCommand } from './user/remove-user.ts'
import { getWorkerCommand } from './worker/get-worker.ts'
import { initWorkerCommand } from './worker/init-worker.ts'
import { listWorkersCommand } from './worker/list-workers.ts'
import { runWorkerCommand } from './worker/run-worker.ts'
import { steerWorkerCommands } from './worker/steer-worker.ts'

const epilogue = `
Every command has examples: ${self} <command> --help
What exit codes mean:       ${self} help exit-codes`

export function createProgram(version: string, isJson = false): Command {
  const program = new Command('millrace')
    .description('Typed jobs on whatever compute a group already has, live in a shared room.')
    .version(version, '--version', 'print the version')
    .helpCommand(false)
    .addHelpText('after', epilogue)
  addBeginning(program.commandsGroup('To begin:'))
  addJobs(program.commandsGroup('Jobs:'))
  addPlaces(program.commandsGroup('Rooms and people:'))
  addWorkers(program.commandsGroup('Those who do the work:'))
  addServers(program.commandsGroup('Servers:'))
  program.commandsGroup('Help:').addCommand(completionCommand()).addCommand(helpCommand(program))
  program.addCommand(completeCommand(program), { hidden: true })
  settle(program, isJson, '')
  return program
}

function addBeginning(program: Command): void {
  program.addCommand(runDevCommand())
  program.addCommand(noun('init', 'files to begin with').addCommand(initWorkerCommand()))
}

function addJobs(program: Command): void {
  program.addCommand(submitCommand())
  program.addCommand(
    noun(
      'jobs',
      'what was submitted, and what became of it',
      listJobsCommand(),
      getJobCommand(),
      followJobCommand(),
      jobLogsCommand(),
      cancelJobCommand(),
      retryJobCommand(),
      deadLettersCommand(),
    ),
  )
  program.addCommand(whyJobCommand())
  program.addCommand(
    noun(
      'extensions',
      'what can be run in a room',
      listExtensionsCommand(),
      getExtensionCommand(),
      ...steerExtensionCommands(),
    ),
  )
}

function addPlaces(program: Command): void {
  const [ls, make, get, use] = [listRoomsCommand(), createRoomCommand(), getRoomCommand(), useRoomCommand()]
  program.addCommand(
    noun('rooms', 'shared workspaces', ls, make, get, use, ...changeRoomCommands(), roomMembersCommand()),
  )
  program.addCommand(
    noun(
      'users',
      'accounts',
      listUsersCommand(),
      createUserCommand(),
      changeRoleCommand(),
      changePasswordCommand(),
      removeUserCommand(),
    ),
  )
  program.addCommand(
    noun(
      'tokens',
      'credentials for workers and pools',
      listTokensCommand(),
      createTokenCommand(),
      revokeTokenCommand(),
    ),
  )
  program.addCommand(noun('audit', 'what people did', listAuditCommand()))
}

function addWorkers(program: Command): void {
  program.addCommand(runWorkerCommand())
  program.addCommand(runPoolCommand())
  program.addCommand(
    noun('workers', 'who is connected', listWorkersCommand(), getWorkerCommand(), ...steerWorkerCommands()),
  )
}

function addServers(program: Command): void {
  program.addCommand(loginCommand())
  program.addCommand(logoutCommand())
  program.addCommand(whoamiCommand())
  program.addCommand(profilesCommand())
  program.addCommand(doctorCommand())
  program.addCommand(runStartCommand())
  program.addCommand(noun('config', 'how a server would be configured').addCommand(printConfigCommand()))
  program.addCommand(printOpenapiCommand())
}

/** What commander hands down only to commands it makes itself: how they end, and what is said about wrong words. */
function settle(command: Command, isJson: boolean, path: string): void {
  const name = `${path} ${command.name()}`.trim()
  command
    .configureHelp({ groupItems })
    .exitOverride()
    .showHelpAfterError(`  How it is used: ${name.replace(/^millrace/, self)} --help`)
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error: /, 'millrace: ')),
      ...(isJson && { writeErr: () => undefined }),
    })
  for (const each of command.commands) settle(each, isJson, name)
}

/** As commander does it, but with the options that all commands share at the end. */
function groupItems<Item extends Command | Option>(
  this: Help,
  all: Item[],
  visible: Item[],
  groupOf: (item: Item) => string,
): Map<string, Item[]> {
  const usual = Help.prototype.groupItems<Item>
  const groups = usual.call(this, all, visible, groupOf)
  const shared = groups.get(where)
  groups.delete(where)
  return shared === undefined ? groups : groups.set(where, shared)
}
