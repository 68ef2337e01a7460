// Packets that break the rules of WebSocket, Engine.IO or Socket.IO, one kind on a connection of its own each.

import type { HostileCase, HostileScene } from './hostile-scene.ts'
import { RawSocket } from './raw-socket.ts'

type Speech = (socket: RawSocket) => void

const say =
  (...messages: readonly (string | Buffer)[]): Speech =>
  (socket) => {
    for (const message of messages) socket.say(message)
  }

const times = <Value>(count: number, value: (n: number) => Value): readonly Value[] =>
  Array.from({ length: count }, (_, n) => value(n))

const join = '["room:join",{"room":"mallory-room"}]'

const packets: Readonly<Record<string, Speech>> = {
  'attachments that never come': say('451-["room:join",{"_placeholder":true,"num":0}]'),
  'fewer attachments than said': say(
    '453-["job:log",{"_placeholder":true,"num":2}]',
    Buffer.from([1]),
    `42${join}`,
  ),
  'a thousand million attachments': say(
    '451000000000-["room:join",{"_placeholder":true,"num":0}]',
    Buffer.from([1]),
  ),
  'attachments that are no number': say(
    '45-["room:join",{}]',
    '45x-["room:join",{}]',
    '45-1-["room:join",{}]',
  ),
  'placeholders of nothing': say('451-["room:join",{"_placeholder":true,"num":-1}]', Buffer.from([1])),
  'placeholders everywhere': say(
    `451-[${times(20_000, () => '{"_placeholder":true,"num":0}').join(',')}]`,
    Buffer.alloc(10),
  ),
  'binary where none is expected': say(...times(50, () => Buffer.alloc(10_000))),
  'namespaces that are none': say(
    ...times(500, (n) => `40/nowhere-${n},{}`),
    '42/nowhere,["x"]',
    '41/nowhere,',
  ),
  'a namespace that is long': say(`40/${'x'.repeat(200_000)},{}`),
  'a namespace like what is inherited': say('40/__proto__,{}', '40/constructor,{}', '42/__proto__,["x"]'),
  'a second connect': say('40{}', '40{"token":1}', '40{"token":{"__proto__":1}}', '40[]', '40null'),
  'acknowledgements nobody waits for': say(
    ...times(1_000, (n) => `43${n}["x"]`),
    '43[]',
    '4399999999999999999999999[1]',
    '43-1[]',
  ),
  'acknowledgements to ask for': say(
    `42999999999999999999999${join}`,
    `42-1${join}`,
    `4200000000000000${join}`,
  ),
  'events of the library itself': say(
    ...[
      'connect',
      'connect_error',
      'disconnect',
      'disconnecting',
      'newListener',
      'removeListener',
      'error',
    ].map((event) => `42["${event}",{}]`),
  ),
  'events like what is inherited': say(
    '42["__proto__",{}]',
    '42["constructor",{}]',
    '42["toString"]',
    '420["hasOwnProperty",1]',
  ),
  'events that are no events': say(
    '42',
    '42{}',
    '42[]',
    '42[1]',
    '42[null]',
    '42[[]]',
    '42["x"',
    '42["x",',
    '42"x"',
    '42null',
  ),
  'events without arguments': say(
    '42["room:join"]',
    '420["room:join"]',
    '42["job:log"]',
    '420["extension:register"]',
  ),
  'many arguments, with a name that means nothing': say(`42["x",${times(100_000, () => '1').join(',')}]`),
  'many arguments': say(`420["room:join",${times(100_000, () => '1').join(',')}]`),
  'deep arguments': say(
    `420["room:join",${'['.repeat(200_000)}${']'.repeat(200_000)}]`,
    `42["room:join",${'{"a":'.repeat(200_000)}`,
  ),
  'a message over the limit': say(`42["job:log",[{"lines":["${'x'.repeat(5_000_000)}"]}]]`),
  'types that do not exist': say('4', '47', '49["x"]', '9', 'x', '', '\u0000', '🙂', '4\u0000'),
  'packets out of turn': say('0{"sid":"x"}', '3', '5', '6', '2probe', '3probe', '1'),
  'ten thousand pings': say(...times(10_000, () => '2')),
  'thousands of events': say(...times(3_000, (n) => `42${n}${join}`)),
  'thousands of events that are none': say(...times(3_000, (n) => `42${n}["no:such","${n}"]`)),
  'halves of characters': say(Buffer.from([0xc3, 0x28]), '42["room:join","\\ud800"]'),
  'text that is no text': (socket) =>
    socket.say(Buffer.from([0x34, 0x32, 0xff, 0xfe, 0xc0]), { opcode: 'text' }),
  'a frame without a mask': (socket) => socket.say(`42${join}`, { isMasked: false }),
  'a frame of a reserved kind': (socket) => socket.say('x', { opcode: 7 }),
  'a frame that says more than it has': (socket) =>
    socket.raw(Buffer.from([0x81, 0xff, 0x7f, 255, 255, 255, 255, 255, 255, 255])),
  'a message that never ends': (socket) => {
    socket.say('42["room:join",', { isLast: false })
    for (const part of times(2_000, () => 'x'.repeat(100)))
      socket.say(part, { opcode: 'continuation', isLast: false })
  },
  'a continuation of nothing': (socket) => socket.say('x', { opcode: 'continuation' }),
  'a long ping': (socket) => socket.say('x'.repeat(1_000), { opcode: 'ping' }),
  'a close of many words': (socket) =>
    socket.say(Buffer.from([0x03, 0xe8, ...times(120, () => 120)]), { opcode: 'close' }),
  'bytes that are no frame': (socket) => socket.raw(Buffer.alloc(100_000, 0xaa)),
  'another request on the same connection': (socket) =>
    socket.raw('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'),
}

/** Long enough for the server to have read everything: a new connection is answered after what came before it. */
async function settled(scene: HostileScene): Promise<void> {
  await scene.send({ method: 'GET', path: '/health/live' })
}

async function speak(scene: HostileScene, speech: Speech): Promise<void> {
  const socket = await scene.socket()
  speech(socket)
  await settled(scene)
  for (const message of socket.heard) scene.note(message.slice(0, 40), 0, message)
  socket.close()
}

async function openPolling(scene: HostileScene): Promise<string> {
  const { text } = await scene.send({ method: 'GET', path: '/socket.io/?EIO=4&transport=polling' })
  return /"sid":"([^"]+)"/.exec(text)?.[1] ?? ''
}

/** Many packets in one body, as the transport without WebSocket carries them. */
async function poll(scene: HostileScene): Promise<void> {
  const sid = await openPolling(scene)
  const path = `/socket.io/?EIO=4&transport=polling&sid=${sid}`
  await scene.post(path, `40${JSON.stringify({ token: scene.token })}`, 'text/plain')
  await scene.post(path, times(3_000, (n) => `42${n}${join}`).join('\u001e'), 'text/plain')
  await scene.post(path, 'b'.repeat(100_000), 'text/plain')
  await scene.post(path, '\u001e'.repeat(100_000), 'text/plain')
  await scene.post(path, `4${'['.repeat(1_000_000)}`, 'text/plain')
  await scene.post(path, Buffer.alloc(5_000_000, 'x'), 'text/plain')
  for (const odd of [
    'EIO=3',
    'EIO=4&transport=__proto__',
    'transport=polling',
    'EIO=4&transport=polling&sid=__proto__',
    `EIO=4&transport=polling&sid=${sid}&sid=${sid}`,
    'EIO[]=4&transport[]=polling',
    'EIO=4&transport=polling&j=alert(1)',
  ])
    await scene.send({ method: 'GET', path: `/socket.io/?${odd}` })
  await scene.send({ method: 'DELETE', path })
}

/** Upgrades that say nothing more: without a word, without a credential, in the middle of a change of transport. */
async function fallSilent(scene: HostileScene): Promise<void> {
  const silent = await Promise.all([
    ...times(100, () => RawSocket.open(scene.url)),
    ...times(20, async () => {
      const search = `EIO=4&transport=websocket&sid=${await openPolling(scene)}`
      const socket = await RawSocket.open(scene.url, search)
      socket.say('2probe')
      return socket
    }),
  ])
  for (const socket of silent.slice(0, 30)) socket.say('40{}')
  await scene.canary.next(5)
  for (const socket of silent) socket.close()
}

export const packetAttacks: readonly HostileCase[] = [
  {
    name: 'broken_packets',
    title: '[X33] packets that break the rules of sockets cost no more than their own connection',
    attack: async (scene) => {
      for (const speech of Object.values(packets)) await speak(scene, speech)
    },
  },
  {
    name: 'many_packets',
    title: '[X33] so do thousands of packets in one body, and connections that upgrade and fall silent',
    attack: async (scene) => {
      await poll(scene)
      await fallSilent(scene)
    },
  },
]
