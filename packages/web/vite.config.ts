// How the app is built. Everything it needs comes with it: no address but its own server's is ever asked.

import { globSync, readFileSync } from 'node:fs'
import { clientEvents, routes, serverEvents } from '@millrace/protocol'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type UserConfig } from 'vite'

/** For `vite` by hand beside `npm start`. */
const server = 'http://127.0.0.1:7717'

const config: UserConfig = defineConfig({
  plugins: [react(), protocolInShort()],
  resolve: {
    conditions: ['source', 'module', 'browser', 'development|production'],
    // The form theme brings Mantine and React of its own; two copies would not know of each other's context.
    dedupe: ['@mantine/core', '@mantine/hooks', 'react', 'react-dom'],
    alias: {
      // Descriptions come from whoever wrote a worker, and are shown as the text they are.
      'markdown-to-jsx/react': '/src/extension/plain-markdown.tsx',
      'fast-uri': '/src/extension/plain-uri.ts',
    },
  },
  build: {
    target: 'es2023',
    assetsDir: 'assets',
    // A data: address would need an exception in the content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      // Their packages do not say so, and would bring a validator along that only their own tests use.
      treeshake: { moduleSideEffects: [{ test: /node_modules\/@rjsf\//, sideEffects: false }] },
    },
  },
  server: {
    proxy: { '/api': server, '/health': server, '/socket.io': { target: server, ws: true } },
  },
})

/** A browser needs the addresses of the protocol; its schemas are for types here, and for checking at the server. */
function protocolInShort(): Plugin {
  const name = '@millrace/protocol'
  const short = `\0${name}`
  const pick = (of: object, ...fields: readonly string[]): string =>
    JSON.stringify(
      Object.fromEntries(
        Object.entries(of).map(([key, value]) => [
          key,
          Object.fromEntries(fields.map((field) => [field, value[field]])),
        ]),
      ),
    )
  return {
    name: 'protocol-in-short',
    enforce: 'pre',
    resolveId: (id) => (id === name ? short : null),
    load: (id) =>
      id === short
        ? [
            `export const routes = ${pick(routesInShort(), 'method', 'path', 'access')}`,
            `export const clientEvents = ${pick(clientEvents, 'event')}`,
            `export const serverEvents = ${pick(serverEvents, 'event')}`,
          ].join('\n')
        : null,
  }
}

/** Those that a page asks. Nearly all want a credential, which is what one without a word about it is taken to want. */
function routesInShort(): object {
  const folder = new URL('./src/', import.meta.url)
  const sources = globSync('**/*.{ts,tsx}', { cwd: folder }).map((file) =>
    readFileSync(new URL(file, folder), 'utf8'),
  )
  const asked = new Set(
    sources.flatMap((text) => [...text.matchAll(/\broutes\.(\w+)/g)].map(([, name]) => name)),
  )
  const short = Object.entries(routes)
    .filter(([name]) => asked.has(name))
    .map(([name, { method, path, access }]) => [
      name,
      { method, path, ...(access === 'anyone' && { access }) },
    ])
  return Object.fromEntries(short)
}

export default config
