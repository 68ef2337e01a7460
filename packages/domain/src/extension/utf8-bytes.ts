// How many bytes a text has in UTF-8, the unit of every size limit. Counted by hand: the domain has no encoder.

export function utf8Bytes(text: string): number {
  let bytes = 0
  for (const character of text) bytes += bytesOf(character.codePointAt(0) ?? 0)
  return bytes
}

/** Half of a surrogate pair counts three, like the replacement character an encoder writes for it. */
function bytesOf(codePoint: number): number {
  if (codePoint < 0x80) return 1
  if (codePoint < 0x800) return 2
  return codePoint < 0x10000 ? 3 : 4
}
