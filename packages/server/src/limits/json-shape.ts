// Whether a text of JSON is worth parsing. A few megabytes of brackets, or of names that are all different, take the parser
// a hundred times as long as anything sensible of that size, and what it makes of them no recursion can walk; looking at
// the text first takes about a nanosecond for each character.

import { type Refusal, refuse } from '@millrace/domain'

/** Data may be 64 levels deep, and a result is nobody's form; what is deeper was made to do harm. */
export const jsonMaxDepth: number = 1_000
/** Of one object. The store of names is rebuilt again and again while it grows. */
export const jsonMaxMembers: number = 50_000

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]
const uncounted = -(2 ** 31)
/** Shorter than this a text can be neither too deep nor have too many members. */
const harmlessLength = jsonMaxDepth

/** Null for what may be parsed, be it JSON or not. */
export function jsonShapeRefusal(text: string): Refusal | null {
  if (text.length <= harmlessLength) return null
  /** Commas so far at each level; an array's do not count, its items cost nothing to speak of. */
  const members = new Int32Array(jsonMaxDepth + 1)
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = endOfText(text, at)
    } else if (code === openObject || code === openArray) {
      depth += 1
      if (depth > jsonMaxDepth) return tooDeep
      members[depth] = code === openObject ? 1 : uncounted
    } else if (code === comma) {
      const count = (members[depth] ?? 0) + 1
      members[depth] = count
      if (count > jsonMaxMembers) return tooManyMembers
    } else if ((code === closeObject || code === closeArray) && depth > 0) depth -= 1
  }
  return null
}

/** The place of the quote that ends the text which begins here; the end of everything where there is none. */
function endOfText(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1
    while (text.charCodeAt(before) === backslash) before -= 1
    if ((at - before) % 2 === 1) return at
  }
  return text.length
}

const tooDeep: Refusal = refuse('json_too_deep', `JSON may be nested ${jsonMaxDepth} levels deep.`, {
  limit: jsonMaxDepth,
})
const tooManyMembers: Refusal = refuse(
  'json_too_large',
  `An object has at most ${jsonMaxMembers} members; an array may have more.`,
  { limit: jsonMaxMembers },
)
