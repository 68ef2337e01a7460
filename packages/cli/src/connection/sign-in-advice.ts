// What to do about a credential that lacks or does not hold: that depends on where it came from, or would have.

import { self } from '../output/own-name.ts'
import type { Target } from './target.ts'

/** For a command that was refused, or would be. */
export function signInAdvice({ url, tokenFrom, passedOver }: Target): string {
  if (tokenFrom !== null) {
    const how =
      tokenFrom === 'MILLRACE_TOKEN' ? 'unset it or set a new one' : `sign in again with \`${self} login\``
    return `The credential of ${tokenFrom} does not hold at ${url} (any more): ${how}.`
  }
  if (passedOver === null) return `Sign in with \`${self} login\`, or set MILLRACE_TOKEN.`
  const { name, url: own } = passedOver
  return `Profile ${name} is for ${own} and is used nowhere else: say that address, or \`${self} login --url ${url}\`.`
}

/** For one that ends soon. */
export function renewAdvice({ tokenFrom }: Target): string {
  return tokenFrom === 'MILLRACE_TOKEN' ? 'Set a new one as MILLRACE_TOKEN.' : `Sign in again: ${self} login`
}
