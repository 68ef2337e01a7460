// Says in one sentence that this Node is too old, before Node itself fails on a .ts file with a page about loaders.
// npm scripts find Node 24 among the installed platform packages, so this speaks only where none fits the machine.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Millrace needs Node 22.18 or newer and this is ${process.version}: run "npm ci", which brings Node 24 along on Linux, macOS and Windows, or install a newer Node.`,
  )
  process.exit(1)
}
