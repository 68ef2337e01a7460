// How the app is built. Everything it needs comes with it: no address but its own server's is ever asked.

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
            `export const routes = ${pick(routes, 'method', 'path', 'access')}`,
            `export const clientEvents = ${pick(clientEvents, 'event')}`,
            `export const serverEvents = ${pick(serverEvents, 'event')}`,
          ].join('\n')
        : null,
  }
}

export default config
