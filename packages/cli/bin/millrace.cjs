#!/usr/bin/env node
// The command as it is installed: finds a Node that reads TypeScript and hands everything over to src/main.ts.
// Plain CommonJS that any Node understands, because the one it is started with may be older than what Millrace needs.

const { spawn } = require('node:child_process')
const { enableCompileCache } = require('node:module')
const { availableParallelism, cpus } = require('node:os')
const { dirname, join } = require('node:path')
const { pathToFileURL } = require('node:url')

const least = [22, 18]
/** The version that an install brings along. */
const brought = '24'
const main = join(__dirname, '../src/main.ts')
const args = process.argv.slice(2)
// An old Node cannot tell how many it may use, only how many there are.
const processors = availableParallelism?.() ?? cpus().length

/** For commands that are a server; packages/server/src/node-flags.ts says why. An older Node ends at a flag it does not know. */
function flagsFor(version) {
  if (!['dev', 'start'].includes(args[0])) return []
  const atRest = Number(version.split('.')[0]) >= 24 ? ['--no-memory-reducer-favors-memory'] : []
  const forFewProcessors = processors <= 2 ? ['--v8-pool-size=1', '--no-parallel-scavenge'] : []
  return [
    '--max-semi-space-size=32',
    '--min-semi-space-size=2',
    '--expose-gc',
    '--heap-growing-percent=200',
    ...atRest,
    ...forFewProcessors,
  ]
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > least[0] || (major === least[0] && minor >= least[1])
}

/** The Node of the registry's platform packages, where the install brought one. */
function broughtAlong() {
  const os = process.platform === 'win32' ? 'win' : process.platform
  for (const name of [`node-${os}-${process.arch}`, `node-bin-${os}-${process.arch}`]) {
    try {
      const folder = dirname(require.resolve(`${name}/package.json`))
      return join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
    } catch {
      // Not installed for this platform.
    }
  }
  return null
}

/** Nothing is built, so without it every start would read all of TypeScript anew. Where it cannot be written, it is not. */
function keepCompiled() {
  process.env.NODE_COMPILE_CACHE ??= join(__dirname, '../../../node_modules/.cache/millrace-compiled')
  enableCompileCache?.(process.env.NODE_COMPILE_CACHE)
}

/** In this very process, so that nobody stands between the command and whoever signals it. */
function becomeMain() {
  keepCompiled()
  const flags = flagsFor(process.versions.node)
  const isPlain = process.execArgv.length === 0 && typeof process.execve === 'function'
  if (flags.length > 0 && isPlain)
    process.execve(process.execPath, [process.execPath, ...flags, main, ...args], process.env)
  void import(pathToFileURL(main).href)
}

function runWith(node) {
  keepCompiled()
  const child = spawn(node, [...flagsFor(brought), main, ...args], { stdio: 'inherit' })
  // A terminal sends Ctrl-C to both, and then it arrives twice: commands that stay take what comes that close as one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    process.stderr.write(`millrace: ${node} could not be started: ${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    // As if it had been this process.
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

if (isNewEnough(process.versions.node)) {
  becomeMain()
} else {
  const node = broughtAlong()
  if (node === null) {
    process.stderr.write(
      `Millrace needs Node ${least.join('.')} or newer, and this is ${process.versions.node}. ` +
        'Run `npm install` in its folder, which brings one along, or install a newer Node.\n',
    )
    process.exit(1)
  }
  runWith(node)
}
