// Runs at the end of npm install: builds the web app where that can be done. Whatever goes wrong here must not fail the
// install; the server then says in the browser how to build it.

const { spawnSync } = require('node:child_process')
const { join } = require('node:path')

const later = 'The web app is not built; `npm run build` does it.'

try {
  require.resolve('vite/package.json')
  const script = join(__dirname, 'build-web.ts')
  const { status, stderr } = spawnSync(process.execPath, [script, '--quiet'], { encoding: 'utf8' })
  if (status !== 0)
    console.log(`${later} It failed with:\n${String(stderr).trim().split('\n').slice(-8).join('\n')}`)
} catch (fault) {
  console.log(
    fault.code === 'MODULE_NOT_FOUND' ? `${later} vite is not installed.` : `${later} ${fault.message}`,
  )
}
