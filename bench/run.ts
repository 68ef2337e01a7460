// npm run bench -- <name> [--json]: runs one bench and prints what it measured, with the machine it ran on. With
// --json the last line is one JSON object, for whoever compares runs.

import { availableParallelism, cpus } from 'node:os'
import process from 'node:process'
import type { Bench, Figures } from './bench.ts'

interface Entry {
  readonly about: string
  /** Imported when asked for: a bench may need a peer that is not installed everywhere. */
  load(): Promise<Bench>
}

const entries: Readonly<Record<string, Entry>> = {
  placement: {
    about: 'how long one plan takes, with 1,000 classes and 1,000 pools',
    load: async () => (await import('./placement.ts')).bench,
  },
  store: {
    about: 'lifecycles per second on both stores beside BullMQ, and claims with a million jobs pending',
    load: async () => (await import('./store.ts')).bench,
  },
  throughput: {
    about: 'bulk submit over HTTP, one worker over a socket, completed; both stores beside BullMQ and Celery',
    load: async () => (await import('./throughput.ts')).bench,
  },
  latency: {
    about: 'submit to start at 200 a second, p50 and p99, both stores beside BullMQ',
    load: async () => (await import('./latency.ts')).bench,
  },
  fairness: {
    about: 'the wait of a quiet room alone, and beside a room with 100,000 queued jobs',
    load: async () => (await import('./fairness.ts')).bench,
  },
  hostile: {
    about: 'the p95 of a quiet room while somebody attacks the server, beside that just before',
    load: async () => (await import('./hostile.ts')).bench,
  },
  web: {
    about: 'what a first visit to a room loads, and the page of all jobs under a thousand events a second',
    load: async () => (await import('./web.ts')).bench,
  },
  idle: {
    about: 'memory and CPU of a server with 1,000 idle workers',
    load: async () => (await import('./idle.ts')).bench,
  },
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function printNames(): void {
  print('npm run bench -- <name> [--json]')
  for (const [name, { about }] of Object.entries(entries)) print(`  ${name.padEnd(12)} ${about}`)
}

function printMachine(): void {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor'
  print(`machine  ${availableParallelism()} cores, ${model}`)
  print(`node     ${process.version} on ${process.platform} ${process.arch}`)
  print(`date     ${new Date().toISOString()}`)
}

function printFigures(figures: Figures): void {
  const width = Math.max(...Object.keys(figures).map((name) => name.length))
  for (const [name, value] of Object.entries(figures)) print(`${name.padEnd(width)}  ${readable(value)}`)
}

function readable(value: number): string {
  return Number.isInteger(value) ? value.toLocaleString('en') : value.toPrecision(4)
}

async function main(args: readonly string[]): Promise<number> {
  const json = args.includes('--json')
  const name = args.find((arg) => !arg.startsWith('--'))
  const entry = name === undefined || !Object.hasOwn(entries, name) ? undefined : entries[name]
  if (entry === undefined) {
    if (name !== undefined) print(`There is no bench called ${name}.`)
    printNames()
    return name === undefined ? 0 : 1
  }
  const bench = await entry.load()
  printMachine()
  const figures = await bench.run(print)
  printFigures(figures)
  if (json) print(JSON.stringify({ bench: bench.name, figures }))
  return 0
}

process.exitCode = await main(process.argv.slice(2))
