// How the app is built. Everything it needs comes with it: no address but its own server's is ever asked.

import react from '@vitejs/plugin-react'
import { defineConfig, type UserConfig } from 'vite'

/** For `vite` by hand beside `npm start`. */
const server = 'http://127.0.0.1:7717'

const config: UserConfig = defineConfig({
  plugins: [react()],
  resolve: {
    conditions: ['source', 'module', 'browser', 'development|production'],
    // The form theme brings Mantine and React of its own; two copies would not know of each other's context.
    dedupe: ['@mantine/core', '@mantine/hooks', '@mantine/dates', 'react', 'react-dom'],
  },
  build: {
    target: 'es2023',
    assetsDir: 'assets',
    // A data: address would need an exception in the content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
  },
  server: {
    proxy: { '/api': server, '/health': server, '/socket.io': { target: server, ws: true } },
  },
})

export default config
