// The HTTP side of a server: parsing, limits, problems for everything that goes wrong, and the description of itself.

import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { Ajv, type AnySchema } from 'ajv'
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify'
import { jsonShapeRefusal } from '../limits/json-shape.ts'
import { problemOf, refusedHere } from '../refusal/problem-of.ts'
import { askedBy } from './asked-by.ts'
import { holdPipelines } from './hold-pipelines.ts'
import { endWithProblem } from './raw-problem.ts'
import { sendProblem } from './send-problem.ts'
import type { Site } from './site.ts'
import { guardSite } from './site-headers.ts'
import { sendWebApp, serveWebApp, wantsWebApp } from './web-app.ts'

export interface HttpOptions {
  readonly bodyMaxBytes: number
  readonly docs: boolean
  readonly version: string
  /** Where the built web app is, or would be. */
  readonly webFolder: string
  readonly site: Site
  readonly maxConnections: number
  readonly headerTimeoutMs: number
  readonly requestTimeoutMs: number
  readonly onFault: (fault: unknown, where: string) => void
}

export async function createHttpServer(options: HttpOptions): Promise<FastifyInstance> {
  const app = fastify({
    bodyLimit: options.bodyMaxBytes,
    forceCloseConnections: true,
    requestTimeout: options.requestTimeoutMs,
    keepAliveTimeout: keepAliveMs,
    http: {
      maxHeaderSize: headMaxBytes,
      headersTimeout: Math.min(options.headerTimeoutMs, options.requestTimeoutMs),
      connectionsCheckingInterval: Math.min(5_000, options.headerTimeoutMs),
    },
    routerOptions: { maxParamLength: 500 },
    frameworkErrors: (fault, _request, reply) => {
      sendProblem(reply as FastifyReply, problemOf(refusedHere('request_invalid', fault.message)))
    },
    clientErrorHandler: (fault, socket) => endWithProblem(socket, problemOf(refusalOfNoRequest(fault))),
  })
  // Sockets have their own limit; this one keeps some room for requests when they use it up.
  app.server.maxConnections = options.maxConnections + requestConnections
  holdPipelines(app)
  guardSite(app, options.site)
  app.setValidatorCompiler(({ schema, httpPart }) =>
    (httpPart === 'body' ? bodies : texts).compile(schema as AnySchema),
  )
  app.setSerializerCompiler(() => (body) => JSON.stringify(body))
  app.setNotFoundHandler((request, reply) =>
    wantsWebApp(request)
      ? sendWebApp(reply, options.webFolder)
      : sendProblem(reply, problemOf(refusedHere('route_not_found'))),
  )
  app.setErrorHandler((fault: FastifyError, request, reply) => {
    const problem = problemOf(
      refusalOf(fault, request.routeOptions.bodyLimit ?? options.bodyMaxBytes) ?? fault,
      askedBy(request),
    )
    if (problem.status === 500)
      options.onFault(fault, `${request.method} ${request.routeOptions.url ?? request.url}`)
    return sendProblem(reply, problem)
  })
  acceptEmptyJson(app)
  await describe(app, options)
  await serveWebApp(app, options.webFolder)
  return app
}

/** Longer than proxies keep theirs, or they would send on a connection that is just being closed. */
const keepAliveMs = 72_000
/** A token and what proxies add are far below. */
const headMaxBytes = 16_384
const requestConnections = 1_000
/** The page of the interface brings its own scripts and styles elements as it goes. */
const docsPolicy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'"

/** What came was no request that could be read, or only a part of one. */
function refusalOfNoRequest({ code }: { readonly code?: string }): ReturnType<typeof refusedHere> {
  return code === 'ERR_HTTP_REQUEST_TIMEOUT'
    ? refusedHere('request_too_slow')
    : refusedHere('request_invalid', 'This is no HTTP request.')
}

/** A body is what it is; what stands in an address is text and is read as what the schema says. */
const bodies = new Ajv({ allErrors: false, strict: false, validateFormats: false })
const texts = new Ajv({ allErrors: false, strict: false, validateFormats: false, coerceTypes: true })

/** Many clients name a media type for a body they do not send. */
function acceptEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const refusal = jsonShapeRefusal(body as string)
    if (body === '') done(null, undefined)
    else if (refusal) done(Object.assign(new Error(refusal.message), refusal))
    else void parse(request, body as string, done)
  })
}

/** What Fastify refuses before a handler is reached; null for a fault. */
function refusalOf(fault: FastifyError, bodyMaxBytes: number): ReturnType<typeof refusedHere> | null {
  if (fault.validation) {
    const [first] = fault.validation
    const where = fault.validationContext ?? 'request'
    const pointer = first?.instancePath ?? ''
    const message = `${where}${pointer} ${first?.message ?? 'is not valid'}${extraOf(first?.params)}.`
    return refusedHere('request_invalid', message, { where, pointer })
  }
  if (fault.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return refusedHere('body_too_large', `A body has at most ${bodyMaxBytes} bytes.`, { limit: bodyMaxBytes })
  if (fault.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return refusedHere('media_type_unsupported')
  const isClients = fault.statusCode !== undefined && fault.statusCode >= 400 && fault.statusCode < 500
  return isClients ? refusedHere('request_invalid', fault.message) : null
}

function extraOf(params: Record<string, unknown> | undefined): string {
  const extra = params?.['additionalProperty']
  return typeof extra === 'string' ? `: ${JSON.stringify(extra)}` : ''
}

async function describe(app: FastifyInstance, { docs, version }: HttpOptions): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Millrace',
        version,
        description:
          'Typed jobs on whatever compute a group already has. Refusals are problem+json with a stable code.',
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
  })
  if (docs) await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: docsPolicy })
}
