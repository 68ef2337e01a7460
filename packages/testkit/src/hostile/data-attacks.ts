// Job data and bodies that are too large, too deep, too many, or named like what every object inherits.

import type { HostileCase, HostileScene } from './hostile-scene.ts'

const path = '/api/rooms/mallory-room/jobs'

function submit(data: string): string {
  return `{"category":"analysis","extension":"Any","data":${data}}`
}

function nest(depth: number, open: string, close: string): string {
  return open.repeat(depth) + close.repeat(depth)
}

/** An extension that takes anything, and no worker: it registers and goes. */
async function anyExtension(scene: HostileScene): Promise<void> {
  const offer = { room: scene.room, category: 'analysis', name: 'Any', schema: {} }
  await scene.mallory.call('POST', '/api/workers/register', {
    worker: { id: 'mallory-any', offers: { slots: 1 } },
    extensions: [offer],
  })
}

async function sendAll(scene: HostileScene, bodies: readonly (string | Buffer)[]): Promise<void> {
  await anyExtension(scene)
  for (const body of bodies) await scene.post(path, body)
}

const deep: readonly string[] = [
  submit(nest(10_000, '[', ']')),
  submit(nest(400_000, '[', ']')),
  submit(`${nest(150_000, '{"a":', '')}1${'}'.repeat(150_000)}`),
  nest(1_000_000, '[', ']'),
  // Never closed.
  `${'['.repeat(1_000_000)}`,
  `${'{"a":'.repeat(200_000)}`,
]

const manyKeys = `{${Array.from({ length: 1_000_000 }, (_, n) => `"${n.toString(36)}":0`).join(',')}}`
const fewerKeys = `{${Array.from({ length: 90_000 }, (_, n) => `"k${n}":0`).join(',')}}`
const jobs = `{"jobs":[${Array.from({ length: 1_000 }, () => '{"data":{"a":[1,2,3]}}').join(',')}]}`

const texts: readonly string[] = [
  '"\\u0000"',
  '{"\\u0000":"a\\u0000b"}',
  '"\\ud800"',
  '{"\\udfff\\ud800":["\\ud800","\\udc00\\udc00"]}',
  '"\\uffff\\ufffe\\ufeff\\u202e"',
]

const inherited: readonly string[] = [
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"a":{"b":[{"__proto__":null}]}}',
  '{"toString":1,"valueOf":2,"hasOwnProperty":3,"then":4,"toJSON":5,"length":-1}',
]

const numbers: readonly string[] = [
  '1e999',
  '-1e999',
  '1e-999',
  '9'.repeat(400_000),
  `0.${'1'.repeat(400_000)}`,
  '{"n":123456789012345678901234567890}',
]

const prototypeNames = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then']

export const dataAttacks: readonly HostileCase[] = [
  {
    name: 'large_bodies',
    title: '[X30] bodies that are too large or never end are refused',
    attack: async (scene) => {
      const large = Buffer.alloc(9_000_000, 'x')
      for (const type of ['application/json', 'text/plain', 'application/octet-stream'])
        await scene.post(path, large, type)
      await scene.post(path, submit(`"${'x'.repeat(1_500_000)}"`))
      await scene.post(path, submit(`["${'x'.repeat(7_900_000)}"]`))
      await scene.post('/api/auth/login', large)
      await scene.send({
        method: 'GET',
        path,
        headers: { 'content-type': 'application/json' },
        body: [large],
      })
    },
  },
  {
    name: 'deep_values',
    title: '[X30] values nested ten thousand times and more are refused, whole or broken off',
    attack: (scene) => sendAll(scene, deep),
  },
  {
    name: 'many_keys',
    title: '[X30] a million keys are refused, and so is a thousand jobs that each bring too much',
    attack: async (scene) => {
      await sendAll(scene, [submit(`${manyKeys.slice(0, 900_000)}":0}`), submit(fewerKeys)])
      await scene.post(
        '/api/rooms/mallory-room/extensions/room/analysis/Any/submit-many',
        `{"jobs":${manyKeys}}`,
      )
      await scene.post('/api/rooms/mallory-room/extensions/room/analysis/None/submit-many', jobs)
      await scene.post('/api/rooms', manyKeys)
    },
  },
  {
    name: 'odd_values',
    title: '[X30] NUL, halves of characters, inherited names and numbers out of range do no harm in job data',
    attack: (scene) => sendAll(scene, [...texts, ...inherited, ...numbers].map(submit)),
  },
  {
    name: 'inherited_names',
    title: '[X30] inherited names do no harm as names of rooms, extensions, users, targets or in a query',
    attack: async (scene) => {
      const { mallory, room } = scene
      for (const name of prototypeNames) {
        await scene.post('/api/rooms', JSON.stringify({ name }))
        await scene.send({ method: 'GET', path: `/api/rooms/${name}` })
        await scene.post(`/api/rooms/${room}/locks/${name}/acquire`, '{"ttlMs":1000}')
        await scene.post(path, JSON.stringify({ category: name, extension: name, data: {} }))
        await scene.send({ method: 'GET', path: `${path}?${name}=1&status=${name}&limit=${name}` })
        await scene.send({ method: 'GET', path: `${path}?${name}[${name}]=1&cursor=${name}` })
        await scene.send({ method: 'GET', path: `/api/rooms/${room}/extensions/room/${name}/${name}` })
        await mallory.call('POST', '/api/workers/register', {
          worker: { id: name },
          extensions: [
            { room, category: name, name, schema: { properties: { [name]: { type: 'string' } } } },
          ],
        })
        await scene.post(
          `/api/rooms/${room}/extensions/room/${name}/${name}/submit`,
          `{"data":{"${name}":1}}`,
        )
        await scene.send({
          method: 'PUT',
          path: `/api/rooms/${room}/members/${name}`,
          body: ['{"role":"viewer"}'],
        })
      }
    },
  },
]
