// Serves the web app beside the interface: its files, which are named by their content and kept for ever, and its one page
// for every address that is no other's. Where it was not built, a plain page says how.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Addresses that belong to programs: what is not found there is a problem, never a page. */
const forPrograms = /^\/(?:api|docs|health|metrics|openapi\.json|socket\.io|assets)(?:[/?]|$)/

/** Its own scripts and nothing else; the widgets set styles on their elements, which no policy can name. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export async function serveWebApp(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/assets/',
    decorateReply: false,
    index: false,
    immutable: true,
    maxAge: '365d',
    preCompressed: true,
  })
  app.get('/', { schema: { hide: true } }, (_request, reply) => sendWebApp(reply, folder))
}

/** Whether somebody stands before a browser: a program that took a wrong turn wants to hear so. */
export function wantsWebApp({ method, url, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return !forPrograms.test(url) && (headers.accept ?? '').includes('text/html')
}

/** Read each time: it is small, and a build while the server runs is served at once. */
export async function sendWebApp(reply: FastifyReply, folder: string): Promise<FastifyReply> {
  const page = await readFile(join(folder, 'index.html'), 'utf8').catch(() => notBuilt)
  reply.headers({ 'cache-control': 'no-cache', 'content-security-policy': policy })
  return reply.type('text/html; charset=utf-8').send(page)
}

const notBuilt = `<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Millrace</title>
<h1>Millrace is running</h1>
<p>Its web app has not been built yet. In the folder of Millrace, run <code>npm run build</code> and load this page again.</p>
<p>Meanwhile the command line does everything: <code>npx millrace --help</code>.</p>
</html>
`
