// Who may import whom. A file stands on the first floor whose pattern fits its path, and may import what that floor
// may. A package that no floor knows is a problem: its floor is decided when it is made.

import type { Checker } from './describe-checker.ts'
import { eachFile } from './describe-checker.ts'
import { type Import, importsOf } from './imports.ts'
import { isTest, isTypeScript, type SourceFile } from './source-file.ts'

interface Floor {
  readonly name: string
  readonly files: RegExp
  readonly mayImport: RegExp
  readonly mayImportTypesOf?: RegExp
  readonly sentence: string
}

const domain = 'packages/domain/'
const server = 'packages/server/src/'
const credentialAdapters = 'credential/(?:argon2-hasher|jose-signer|random-codes|secret-file)\\.ts$'

const floors: readonly Floor[] = [
  {
    name: 'domain',
    files: /^packages\/domain\//,
    mayImport: /^packages\/domain\/src\//,
    sentence: 'the domain imports nothing outside itself',
  },
  {
    name: 'protocol',
    files: /^packages\/protocol\//,
    mayImport: /^packages\/protocol\/src\/|^npm:(?:@sinclair\/)?typebox/,
    sentence: 'the protocol imports the schema library and nothing else',
  },
  {
    name: 'server main',
    files:
      /^packages\/server\/src\/(?:main|banner|external-memory|engine-threads|node-flags|start-server|run-server|make-parts|open-doors|open-store|pino-log|index)\.ts$/,
    mayImport: /./,
    sentence: 'main.ts, run-server.ts, start-server.ts and make-parts.ts wire everything',
  },
  {
    name: 'ids',
    files: /^packages\/server\/src\/new-id\.ts$/,
    mayImport: /^node:crypto$/,
    sentence: 'ids are made of dice and nothing else',
  },
  {
    name: 'ports',
    files: /^packages\/server\/src\/ports\//,
    mayImport: new RegExp(`^${domain}|^${server}ports/`),
    sentence: 'a port knows the domain and nothing else',
  },
  {
    name: 'SQLite store',
    files: /^packages\/server\/src\/store\/sqlite\//,
    mayImport: new RegExp(`^${domain}|^${server}(?:ports/|store/(?:[^/]+$|sqlite/))|^node:`),
    sentence: 'a store knows the domain, the ports and its own client',
  },
  {
    name: 'Redis store',
    files: /^packages\/server\/src\/store\/redis\//,
    mayImport: new RegExp(
      `^${domain}|^${server}(?:ports/|store/(?:[^/]+$|redis/))|^node:(?!sqlite)|^npm:ioredis$`,
    ),
    sentence: 'a store knows the domain, the ports and its own client',
  },
  {
    name: 'what the stores share',
    files: /^packages\/server\/src\/store\/[^/]+$/,
    mayImport: new RegExp(`^${domain}|^${server}(?:ports/|store/[^/]+$)|^node:(?:crypto|perf_hooks|v8)$`),
    sentence: 'what the stores share knows the domain and the ports',
  },
  {
    name: 'credential adapters',
    files: new RegExp(`^${server}${credentialAdapters}`),
    mayImport: new RegExp(
      `^${domain}|^${server}ports/|^npm:(?:jose|@node-rs/argon2)$|^node:(?:crypto|fs/promises|path)$`,
    ),
    sentence: 'an adapter for credentials knows the domain, the ports and its own library',
  },
  {
    name: 'validation',
    files: /^packages\/server\/src\/validation\//,
    mayImport: new RegExp(
      `^${domain}|^${server}(?:ports|validation)/|^npm:(?:ajv(?:-formats)?|re2js)(?:/|$)|^node:(?:child_process|os|url|vm)$`,
    ),
    sentence: 'the validator knows the domain, the ports, its libraries and its processes',
  },
  {
    name: 'metrics',
    files: /^packages\/server\/src\/metrics\//,
    mayImport: new RegExp(`^${domain}|^${server}(?:ports|metrics)/|^npm:prom-client$`),
    sentence: 'metrics know the domain, the ports and their library',
  },
  {
    name: 'wire',
    files: /^packages\/server\/src\/(?:http|socket)\//,
    mayImport: new RegExp(
      `^packages/protocol/|^${server}(?!store/|validation/|ports/|config/|${credentialAdapters}|(?:main|run-server|start-server|make-parts|open-doors|open-store|index)\\.ts)|^npm:(?!ioredis)|^node:(?!sqlite)`,
    ),
    mayImportTypesOf: new RegExp(`^${domain}|^${server}ports/`),
    sentence: 'http/ and socket/ know the protocol, the use-cases and the types of ports',
  },
  {
    name: 'config',
    files: /^packages\/server\/src\/config\//,
    mayImport: new RegExp(`^${domain}|^${server}config/|^npm:|^node:`),
    sentence: 'config/ reads the environment and knows nothing of the server',
  },
  {
    name: 'use-case',
    files: /^packages\/server\/src\//,
    mayImport: new RegExp(
      `^${domain}|^${server}(?!store/|validation/|http/|socket/|config/|${credentialAdapters}|(?:main|run-server|start-server|make-parts|open-doors|open-store|index)\\.ts)`,
    ),
    sentence: 'a use-case knows the domain and the ports; main.ts hands it everything else',
  },
  {
    name: 'worker',
    files: /^packages\/worker\//,
    mayImport: /^packages\/(?:worker|protocol)\/|^npm:|^node:/,
    sentence: 'the worker SDK knows the protocol',
  },
  {
    name: 'extensions',
    files: /^packages\/extensions\//,
    mayImport: /^packages\/(?:extensions|worker|protocol)\/|^npm:|^node:/,
    sentence: 'an extension knows the worker SDK and the protocol',
  },
  {
    name: 'pool',
    files: /^packages\/pool\//,
    mayImport: /^packages\/(?:pool|extensions|worker|protocol)\/|^npm:|^node:/,
    sentence: 'the pool knows the worker SDK, the built-in extensions and the protocol',
  },
  {
    name: 'cli',
    files: /^packages\/cli\//,
    mayImport: /^packages\/(?:cli|server|pool|extensions|worker|protocol)\/|^npm:|^node:/,
    sentence: 'the command line starts every part and speaks the protocol; rules are not its business',
  },
  {
    name: 'manager',
    files: /^packages\/manager\//,
    mayImport: /^packages\/(?:manager|protocol|domain)\/|^npm:|^node:/,
    sentence: 'a manager knows the protocol and the domain',
  },
  {
    name: 'build of the web',
    files: /^packages\/web\/vite\.config\.ts$/,
    mayImport: /^packages\/(?:web\/src|protocol)\/|^npm:(?:vite$|@vitejs\/)|^node:fs$/,
    sentence: 'the build of the web knows its tools, the protocol and the files it builds from',
  },
  {
    name: 'web',
    files: /^packages\/web\//,
    mayImport: /^packages\/(?:web|protocol)\/|^npm:/,
    mayImportTypesOf: /^packages\/domain\//,
    sentence: 'the web knows the protocol and the types of the domain',
  },
  {
    name: 'testkit',
    files: /^packages\/testkit\//,
    mayImport: /./,
    sentence: 'the testkit may know everything, because only tests know it',
  },
]

const standsOnAFloor = (path: string): boolean =>
  /^packages\//.test(path) && isTypeScript(path) && !isTest(path)

export const checkFloors: Checker = eachFile(standsOnAFloor, (file) => {
  const floor = floors.find((candidate) => candidate.files.test(file.path))
  if (!floor) return [`${file.path} stands on no floor: give its package one in architecture/floor-plan.ts`]
  return importsOf(file)
    .filter((imported) => !isAllowed(floor, imported) || climbsOverTheWall(file, imported))
    .map(({ target, line }) => `${file.path}:${line} imports ${target}, but ${floor.sentence}`)
})

/** Testkit is for tests and benches: whatever ships must not reach it. */
export const checkTestkit: Checker = eachFile(
  (path) => isTypeScript(path) && !isTest(path) && !/^(?:packages\/testkit|bench)\//.test(path),
  (file) =>
    importsOf(file)
      .filter(({ target }) => target.startsWith('packages/testkit/'))
      .map(({ line }) => `${file.path}:${line} imports the testkit, which only tests and benches may`),
)

function isAllowed(floor: Floor, { target, typeOnly }: Import): boolean {
  return floor.mayImport.test(target) || (typeOnly && floor.mayImportTypesOf?.test(target) === true)
}

/** Another package is reached by its name, never by a path into its folder. */
function climbsOverTheWall(file: SourceFile, { target, relative }: Import): boolean {
  const packageOf = (path: string): string => path.split('/').slice(0, 2).join('/')
  return relative && packageOf(file.path) !== packageOf(target)
}
