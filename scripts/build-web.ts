// npm run build: builds the web app into packages/web/dist, and a compressed copy beside each file that shrinks, which
// the server hands to browsers that take it.

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const root = join(import.meta.dirname, '../packages/web')
const vite = join(import.meta.dirname, '../node_modules/vite/bin/vite.js')
const quiet = process.argv.includes('--quiet')

execFileSync(process.execPath, [vite, 'build', ...(quiet ? ['--logLevel', 'error'] : [])], {
  cwd: root,
  stdio: 'inherit',
})
compress(join(root, 'dist/assets'))
if (!quiet) console.log('The web app is built: the server serves it from now on.')

/** Fonts and pictures are compressed already. */
function compress(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => /\.(?:js|css|svg)$/.test(each))) {
    const plain = readFileSync(join(folder, name))
    writeFileSync(join(folder, `${name}.gz`), gzipSync(plain, { level: 9 }))
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(plain, { params }))
  }
}
