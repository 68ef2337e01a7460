// Files of workers as somebody writes and changes them, in a folder outside of any project.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeTempDir } from '../process/temp-dir.ts'

export interface WorkerFolder {
  readonly path: (name: string) => string
  write(name: string, text: string): string
}

export async function makeWorkerFolder(): Promise<WorkerFolder> {
  const folder = await makeTempDir('worker-file')
  const path = (name: string): string => join(folder, name)
  return {
    path,
    write: (name, text) => {
      writeFileSync(path(name), text)
      return path(name)
    },
  }
}

/** An extension `analysis/Scale`, whose schema has this property. */
export function scaleFile(property: string, factor = '2'): string {
  return `
import { defineExtension } from '@millrace/worker'

export const scale = defineExtension({
  category: 'analysis',
  name: 'Scale',
  schema: { type: 'object', properties: { ${property}: { type: 'number', default: 21 } } },
  run: ({ data }) => ({ scaled: data.${property} * ${factor}, pid: process.pid }),
})
`
}

/** A file that does everything itself, as the SDK's page shows it. */
export const standsAlone = `
import { createWorker, defineExtension } from '@millrace/worker'

export const alone = defineExtension({
  category: 'analysis',
  name: 'Alone',
  room: process.env.MILLRACE_ROOM,
  schema: { type: 'object' },
  run: () => 'alone',
})

const { MILLRACE_URL: url, MILLRACE_TOKEN: token } = process.env
await createWorker({ url, token, extensions: [alone] }).start()
`

/** Its job goes on until the process it runs in is told to stop, and then ends well. */
export const endsWhenStopped = `
import { once } from 'node:events'
import { defineExtension } from '@millrace/worker'

export const patient = defineExtension({
  category: 'analysis',
  name: 'Patient',
  schema: { type: 'object' },
  async run({ log }) {
    log('waiting')
    await once(process, 'SIGTERM')
    return 'seen'
  },
})
`

/** Its job never waits, so that its process hears nothing, until a file appears. */
export const blocks = `
import { existsSync, writeFileSync } from 'node:fs'
import { defineExtension } from '@millrace/worker'

export const greedy = defineExtension({
  category: 'analysis',
  name: 'Greedy',
  schema: { type: 'object', properties: { file: { type: 'string' } }, required: ['file'] },
  run({ data }) {
    writeFileSync(data.file + '.begun', '')
    while (!existsSync(data.file));
    return 'let go'
  },
})
`

/** Its jobs end as they are told to. */
export const endsAsTold = `
import { defineExtension, fatal } from '@millrace/worker'

export const told = defineExtension({
  category: 'analysis',
  name: 'Told',
  schema: { type: 'object', properties: { end: { enum: ['well', 'badly'] } }, required: ['end'] },
  run: ({ data }) => (data.end === 'well' ? 1 : fatal('no mass')),
})
`
