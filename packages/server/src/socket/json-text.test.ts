import { Server } from 'socket.io'
import { expect, it } from 'vitest'
import { encodeTexts, JsonText } from './json-text.ts'

interface Encoder {
  encode(packet: object): readonly unknown[]
}

function encoders(): { readonly library: Encoder; readonly ours: Encoder } {
  const [plain, texts] = [new Server(), new Server()]
  encodeTexts(texts)
  return { library: plain.encoder as unknown as Encoder, ours: texts.encoder as unknown as Encoder }
}

const said = { room: 'lab "A"', from: 1, to: 2, events: [{ sequence: 1, status: 'completed', waitMs: 3 }] }

it('[M220] what is text already is told in the same letters as what it says', () => {
  const { library, ours } = encoders()
  const event = (payload: unknown): object => ({ type: 2, nsp: '/', data: ['job:state_changed', payload] })
  expect(ours.encode(event(new JsonText(JSON.stringify(said))))).toEqual(library.encode(event(said)))
})

it('[M220] everything else is told as the library tells it: objects, acknowledgements, other namespaces', () => {
  const { library, ours } = encoders()
  const packets: readonly object[] = [
    { type: 2, nsp: '/', data: ['worker:beat', {}], id: 7 },
    { type: 2, nsp: '/', data: ['job:cancel', [{ how: 'abort' }], 'more'] },
    { type: 3, nsp: '/', id: 12, data: [{ ok: true, answers: [{ status: 'completed' }] }] },
    { type: 4, nsp: '/other', data: { message: 'Invalid namespace' } },
    { type: 0, nsp: '/', data: { sid: 'x' } },
    { type: 1, nsp: '/' },
  ]
  for (const packet of packets) expect(ours.encode({ ...packet })).toEqual(library.encode({ ...packet }))
})

it('[M220] a text that goes another way than an event alone is still what it says', () => {
  const { library, ours } = encoders()
  const packet = (payload: unknown): object => ({ type: 2, nsp: '/', data: ['asked', payload], id: 3 })
  expect(ours.encode(packet(new JsonText(JSON.stringify(said))))).toEqual(library.encode(packet(said)))
})
