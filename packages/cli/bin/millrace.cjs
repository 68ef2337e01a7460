#!/usr/bin/env node
// The command as it is installed: finds a Node that reads TypeScript and hands everything over to src/main.ts.
// Plain CommonJS that any Node understands, because the one it is started with may be older than what Millrace needs.

const { spawn } = require('node:child_process')
const { dirname, join } = require('node:path')
const { pathToFileURL } = require('node:url')

const least = [22, 18]
const main = join(__dirname, '../src/main.ts')

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

function runWith(node) {
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit' })
  // The terminal sends Ctrl-C to both; what is sent to this process alone is passed on.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.on('error', (error) => {
    process.stderr.write(`millrace: ${node} could not be started: ${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (signal !== null) process.exit(1)
    process.exit(code)
  })
}

if (isNewEnough(process.versions.node)) {
  import(pathToFileURL(main).href)
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
