import { createHmac } from 'node:crypto'
import type { RoomName, TokenClaims, UserName } from '@millrace/domain'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createJoseSigner } from './jose-signer.ts'

const secret = new Uint8Array(32).fill(1)
const signer = createJoseSigner(secret)
const claims: TokenClaims = {
  id: '0198c0de-0000-7000-8000-000000000000',
  user: 'maxi' as UserName,
  role: 'user',
  issuedAt: 1_800_000_000_123,
  expiresAt: 1_800_000_060_123,
  accountFrom: 1_799_999_999_999,
}
const payload = {
  sub: 'maxi',
  role: 'user',
  jti: claims.id,
  iat: 1_800_000_000.123,
  exp: 1_800_000_060.123,
  from: 1_799_999_999.999,
}

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function forged(header: unknown, body: unknown, hash = 'sha256', key: Uint8Array = secret): string {
  const signed = `${part(header)}.${part(body)}`
  return `${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`
}

it('[U18] a token is a JWT by HS256 that says what it was made of', async () => {
  const [header = '', body = ''] = (await signer.sign(claims)).split('.')
  const read = (text: string): unknown => JSON.parse(Buffer.from(text, 'base64url').toString())
  expect(read(header)).toEqual({ alg: 'HS256', typ: 'JWT' })
  expect(read(body)).toEqual(payload)
})

it('[U18] a token opens to the claims it was signed with, to the millisecond', async () => {
  const instant = fc.integer({ min: 0, max: 8_640_000_000_000 })
  const any = fc.record({
    issuedAt: instant,
    expiresAt: instant,
    accountFrom: instant,
    room: fc.constantFrom(undefined, 'lab' as RoomName),
    maker: fc.constantFrom(undefined, 'anna' as UserName),
  })
  await fc.assert(
    fc.asyncProperty(any, async ({ room, maker, ...dates }) => {
      const more = { ...(room !== undefined && { room }), ...(maker !== undefined && { maker }) }
      const signed = { ...claims, ...dates, ...more }
      expect(await signer.open(await signer.sign(signed))).toEqual(signed)
    }),
    { seed: 18, numRuns: 200 },
  )
})

it('[U18] what the forger of these tests signs properly is accepted, so its other forgeries mean something', async () => {
  expect(await signer.open(forged({ alg: 'HS256' }, payload))).toEqual(claims)
})

const signed = await signer.sign(claims)
const [head = '', body = '', mac = ''] = signed.split('.')

it.each<[string, string]>([
  ['another secret', forged({ alg: 'HS256' }, payload, 'sha256', new Uint8Array(32).fill(2))],
  ['no signature by alg none', `${part({ alg: 'none' })}.${part(payload)}.`],
  ['another algorithm with the same secret', forged({ alg: 'HS512' }, payload, 'sha512')],
  ['a body that was changed', `${head}.${part({ ...payload, sub: 'olga' })}.${mac}`],
  ['a signature that was cut', `${head}.${body}.${mac.slice(0, -4)}`],
  ['no signature', `${head}.${body}.`],
  ['an extension that has to be understood', forged({ alg: 'HS256', crit: ['exp'] }, payload)],
  ['a body without a user', forged({ alg: 'HS256' }, { ...payload, sub: undefined })],
  ['a role that does not exist', forged({ alg: 'HS256' }, { ...payload, role: 'root' })],
  ['an expiry that is no number', forged({ alg: 'HS256' }, { ...payload, exp: '1800000060' })],
  ['no expiry', forged({ alg: 'HS256' }, { ...payload, exp: undefined })],
  ['a room that is no text', forged({ alg: 'HS256' }, { ...payload, room: ['lab'] })],
  ['a maker that is no text', forged({ alg: 'HS256' }, { ...payload, by: { name: 'anna' } })],
  ['a body that is a list', forged({ alg: 'HS256' }, [payload])],
  ['nothing like a token', 'Bearer me up'],
  ['far too much text', `${signed}${'A'.repeat(5_000)}`],
])('[U18] %s is no token of ours', async (_what, token) => {
  expect(await signer.open(token)).toBeNull()
})
