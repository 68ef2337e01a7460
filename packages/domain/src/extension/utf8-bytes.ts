// How many bytes a text has in UTF-8, the unit of every size limit. Counted by hand: the domain has no encoder.

export function utf8Bytes(text: string): number {
  let bytes = text.length
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) continue
    // Two bytes up to U+07FF, three above; a surrogate pair counts its two units and two more, four in all.
    bytes += unit < 0x800 ? 1 : 2
    if (isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(at + 1))) {
      at += 1
    }
  }
  return bytes
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
