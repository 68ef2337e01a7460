// What everybody hears at one kind of door: a line for each, `ok` or the code of the refusal, for an open and for a
// private room. One word stands for both.

import { everybody, type KindOfRoom, type Who } from './who.ts'

export type Door = Readonly<Record<Who, Readonly<Record<KindOfRoom, string>>>>

export function door(text: string): Door {
  const lines = text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([who]) => who !== '')
  const heard = lines.map(([who = '', open = '', hidden = open]) => [who, { open, private: hidden }] as const)
  const missing = everybody.filter((who) => !heard.some(([name]) => name === who))
  const unknown = heard.filter(([name]) => !everybody.some((who) => who === name))
  if (missing.length > 0 || unknown.length > 0 || heard.length !== everybody.length)
    throw new Error(`this door does not say what everybody hears, once: ${text}`)
  return Object.fromEntries(heard) as unknown as Door
}
